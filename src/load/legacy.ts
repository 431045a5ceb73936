import { isObject } from "../diagnostics/json.js";
import type { Sink } from "../diagnostics/sink.js";
import { escapeToken } from "../diagnostics/types.js";

type Json = Record<string, unknown>;

/**
 * Converts fields of older format versions and reports them: schemas as JSON
 * text, restPath, restBasePath, and baseUrl without rootUrl. Changes the parsed
 * value; must run before the document is checked.
 * @returns true if schemas were parsed from JSON text, so that the nesting
 *   depth of the document must be calculated again
 */
export function modernise(document: Json, sink: Sink): boolean {
  const isUnwrapped = unwrapSchemas(document, sink);
  rename(document, "restBasePath", "servicePath", "", sink);
  deriveRoot(document, sink);
  visitMethods(document, "", (method, pointer) =>
    rename(method, "restPath", "path", pointer, sink),
  );
  return isUnwrapped;
}

function unwrapSchemas(document: Json, sink: Sink): boolean {
  let isUnwrapped = false;
  const schemas = asObject(document["schemas"]);
  for (const [name, schema] of Object.entries(schemas ?? {})) {
    if (typeof schema !== "string") continue;
    const pointer = `/schemas/${escapeToken(name)}`;
    try {
      const value = JSON.parse(schema) as unknown;
      // The property is defined instead of assigned, because an assignment to
      // the name `__proto__` would change the prototype.
      Object.defineProperty(schemas, name, { value, enumerable: true });
      isUnwrapped = true;
      sink.report(
        "legacy-shape",
        `schema ${name} must be an object, found a string that contains JSON`,
        pointer,
      );
    } catch {
      sink.report(
        "shape-wrong-type",
        `schema ${name} must be an object, found a string that is not JSON`,
        pointer,
      );
    }
  }
  return isUnwrapped;
}

function rename(
  owner: Json,
  old: string,
  name: string,
  pointer: string,
  sink: Sink,
): void {
  if (typeof owner[old] !== "string" || owner[name] !== undefined) return;
  owner[name] = owner[old];
  sink.report(
    "legacy-shape",
    `${old} must be renamed to ${name}`,
    `${pointer}/${old}`,
  );
}

/**
 * Derives rootUrl and servicePath from baseUrl, which is the only URL in old
 * documents.
 */
function deriveRoot(document: Json, sink: Sink): void {
  const { rootUrl, baseUrl } = document;
  if (
    rootUrl !== undefined ||
    typeof baseUrl !== "string" ||
    !URL.canParse(baseUrl)
  )
    return;
  const url = new URL(baseUrl);
  document["rootUrl"] = `${url.origin}/`;
  document["servicePath"] ??= url.pathname.slice(1);
  sink.report(
    "legacy-shape",
    "rootUrl is missing; the generator derives it from baseUrl",
    "/baseUrl",
  );
}

function visitMethods(
  root: Json,
  rootPointer: string,
  visit: (method: Json, pointer: string) => void,
): void {
  const stack: [owner: Json, pointer: string][] = [[root, rootPointer]];
  for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
    const [owner, pointer] = top;
    for (const [name, method] of Object.entries(
      asObject(owner["methods"]) ?? {},
    )) {
      const value = asObject(method);
      if (value !== undefined)
        visit(value, `${pointer}/methods/${escapeToken(name)}`);
    }
    for (const [name, resource] of Object.entries(
      asObject(owner["resources"]) ?? {},
    )) {
      const value = asObject(resource);
      if (value !== undefined)
        stack.push([value, `${pointer}/resources/${escapeToken(name)}`]);
    }
  }
}

function asObject(value: unknown): Json | undefined {
  return isObject(value) ? value : undefined;
}
