import type { CheckError } from "#built/check-document.js";
import { escapeToken, resolvePointer, tokensOf } from "../diagnostics/types.js";

/** Extensions by key (specs/README.md); of those with many entries one can be wrong. */
const EXTENSIONS: ReadonlyMap<string, { readonly entries: boolean }> = new Map(
  Object.entries({
    "x-credential": { entries: false },
    "x-headers": { entries: true },
    "x-response-headers": { entries: true },
    "x-errors": { entries: true },
    "x-status": { entries: false },
    "x-stream": { entries: false },
    "x-operation": { entries: false },
    "x-paging": { entries: false },
    "x-body-parameters": { entries: false },
    "x-list-forms": { entries: false },
    "x-nullable": { entries: false },
    "x-required": { entries: false },
    "x-open-enum": { entries: false },
  }),
);

/** Objects whose keys are names that the document's author chose. */
const NAMES = new Set([
  "properties",
  "parameters",
  "schemas",
  "methods",
  "resources",
]);

/** Pointer of the extension, or the entry of one, that an error is about. */
export function extensionAt({
  instancePath,
  propertyName,
}: CheckError): string | undefined {
  const tokens = tokensOf(instancePath);
  if (propertyName !== undefined) tokens.push(propertyName);
  for (let at = 0; at < tokens.length; at++) {
    // The name of a schema can be that of a list of names, and the like.
    if (NAMES.has(tokens[at]!)) {
      at++;
      continue;
    }
    const found = EXTENSIONS.get(tokens[at]!);
    if (found === undefined) continue;
    const end = found.entries ? at + 2 : at + 1;
    return tokens
      .slice(0, end)
      .map((token) => `/${escapeToken(token)}`)
      .join("");
  }
  return undefined;
}

/** Removes the member at a pointer. */
export function removeAt(root: unknown, pointer: string): void {
  const cut = pointer.lastIndexOf("/");
  const owner = resolvePointer(root, pointer.slice(0, cut));
  const [key] = tokensOf(pointer.slice(cut));
  if (typeof owner === "object" && owner !== null)
    Reflect.deleteProperty(owner, key!);
}
