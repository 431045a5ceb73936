import { applyEdits, modify } from "jsonc-parser";
import { Sink } from "../diagnostics/sink.js";
import type { RawDocument } from "../load/raw.js";
import { applyPatches } from "./apply-patches.js";
import type { PatchFile, PatchOperation } from "./patch-file.js";

/**
 * Returns the operations of a patch whose change the document already contains
 * (`patch-upstream`).
 */
export function adoptedOperations(
  document: RawDocument,
  patches: readonly PatchFile[],
): ReadonlyMap<PatchFile, readonly PatchOperation[]> {
  const sink = new Sink();
  applyPatches(document, patches, sink);
  const adopted = new Set(
    sink.diagnostics
      .filter(({ code }) => code === "patch-upstream")
      .map(({ file, line, column }) => `${file}:${line}:${column}`),
  );
  return new Map(
    patches.map((patch) => [
      patch,
      patch.operations.filter(({ line, column }) =>
        adopted.has(`${patch.file}:${line}:${column}`),
      ),
    ]),
  );
}

/**
 * Returns the text of a patch file without some of its operations. Comments and
 * layout of the others stay.
 */
export async function withoutOperations(
  text: string,
  { file, operations }: PatchFile,
  removed: readonly PatchOperation[],
): Promise<string> {
  // The last operation first, so that the indexes of the others are unchanged.
  const indexes = removed
    .map((operation) => operations.indexOf(operation))
    .sort((a, b) => b - a);
  if (file.toLowerCase().endsWith(".json"))
    return indexes.reduce(
      (json, index) =>
        applyEdits(json, modify(json, ["operations", index], undefined, {})),
      text,
    );
  const { withoutOperations: edited } = await import("./yaml-text.js");
  return edited(text, indexes);
}
