import type { CheckError } from "#built/check-document.js";
import { escapeToken, resolvePointer, tokensOf } from "../diagnostics/types.js";

/**
 * Map from the key of each supported extension (specs/README.md) to its
 * properties. If `hasEntries` is true, only an invalid entry is removed, not
 * the entire extension.
 */
const EXTENSIONS: ReadonlyMap<string, { readonly hasEntries: boolean }> =
  new Map(
    Object.entries({
      "x-credential": { hasEntries: false },
      "x-headers": { hasEntries: true },
      "x-response-headers": { hasEntries: true },
      "x-errors": { hasEntries: true },
      "x-status": { hasEntries: false },
      "x-stream": { hasEntries: false },
      "x-operation": { hasEntries: false },
      "x-paging": { hasEntries: false },
      "x-body-parameters": { hasEntries: false },
      "x-list-forms": { hasEntries: false },
      "x-nullable": { hasEntries: false },
      "x-required": { hasEntries: false },
      "x-open-enum": { hasEntries: false },
      "x-file": { hasEntries: false },
      "x-rules": { hasEntries: true },
      "x-kind": { hasEntries: false },
      "x-max-length": { hasEntries: false },
      "x-max-bytes": { hasEntries: false },
      "x-min-items": { hasEntries: false },
      "x-unit": { hasEntries: false },
      "x-code": { hasEntries: false },
      "x-advice": { hasEntries: false },
      "x-quantity": { hasEntries: false },
      "x-placeholder": { hasEntries: false },
      "x-since": { hasEntries: false },
      "x-until": { hasEntries: false },
      "x-deprecated-since": { hasEntries: false },
      "x-required-since": { hasEntries: false },
      "x-removed": { hasEntries: false },
      "x-replaced-by": { hasEntries: false },
      "x-spelling": { hasEntries: false },
      "x-also-written": { hasEntries: false },
      "x-severity": { hasEntries: false },
      "x-secret": { hasEntries: false },
      "x-undocumented": { hasEntries: false },
      "x-missing": { hasEntries: false },
      "x-one-of": { hasEntries: false },
    }),
  );

export const EXTENSION_KEYS: readonly string[] = [...EXTENSIONS.keys()];

/**
 * Fields that contain an object with keys chosen by the author of the document.
 */
const NAMES = new Set([
  "properties",
  "parameters",
  "schemas",
  "methods",
  "resources",
]);

/**
 * Returns the JSON pointer of the invalid extension, or of the invalid entry in
 * an extension. Returns undefined for other errors.
 */
export function extensionAt({
  instancePath,
  propertyName,
}: CheckError): string | undefined {
  const tokens = tokensOf(instancePath);
  if (propertyName !== undefined) tokens.push(propertyName);
  for (let at = 0; at < tokens.length; at++) {
    // The next token is a name chosen by the author, which can equal the key of
    // an extension, so it is skipped.
    if (NAMES.has(tokens[at]!)) {
      at++;
      continue;
    }
    const extension = EXTENSIONS.get(tokens[at]!);
    if (extension === undefined) continue;
    const end = extension.hasEntries ? at + 2 : at + 1;
    return tokens
      .slice(0, end)
      .map((token) => `/${escapeToken(token)}`)
      .join("");
  }
  return undefined;
}

/** Removes the value at a JSON pointer from its parent. */
export function removeAt(root: unknown, pointer: string): void {
  const cut = pointer.lastIndexOf("/");
  const owner = resolvePointer(root, pointer.slice(0, cut));
  const [key] = tokensOf(pointer.slice(cut));
  if (typeof owner === "object" && owner !== null)
    Reflect.deleteProperty(owner, key!);
}
