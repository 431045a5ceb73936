import checkDocument from "#built/check-document.js";
import type { Sink } from "../diagnostics/sink.js";
import type { RawDocument } from "./raw.js";

/** Errors reported for one document; more of them help nobody. */
const MAX_ERRORS = 20;

/** Nesting that is kept; deeper values are cut off (see `prune`). */
const MAX_DEPTH = 400;

/** Checks field types with the compiled document schema; reports what is wrong. */
export function checkShape(
  value: Readonly<Record<string, unknown>>,
  sink: Sink,
): RawDocument | undefined {
  let valid: boolean;
  try {
    valid = checkDocument(value);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const pointer = prune(value);
    sink.report(
      "shape-too-deep",
      `what is nested deeper than ${MAX_DEPTH} levels is taken as unknown`,
      pointer,
    );
    valid = checkDocument(value);
  }
  if (valid) return value as unknown as RawDocument;
  for (const error of (checkDocument.errors ?? []).slice(0, MAX_ERRORS)) {
    const missing = error.keyword === "required";
    if (error.keyword === "if") continue;
    sink.report(
      missing ? "shape-missing" : "shape-wrong-type",
      `${error.instancePath === "" ? "the document" : error.instancePath} ${error.message ?? "is wrong"}`,
      error.instancePath,
    );
  }
  return undefined;
}

/** Replaces what lies deeper than MAX_DEPTH by {}; the pointer of the first such place. */
function prune(root: object): string {
  let first = "";
  const stack: { node: object; depth: number; pointer: string }[] = [
    { node: root, depth: 0, pointer: "" },
  ];
  for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
    for (const [key, child] of Object.entries(top.node)) {
      if (typeof child !== "object" || child === null) continue;
      const pointer = `${top.pointer}/${key.replace(/~/g, "~0").replace(/\//g, "~1")}`;
      if (top.depth < MAX_DEPTH)
        stack.push({ node: child as object, depth: top.depth + 1, pointer });
      else {
        first ||= pointer;
        Object.defineProperty(top.node, key, {
          value: Array.isArray(child) ? [] : {},
          enumerable: true,
        });
      }
    }
  }
  return first;
}
