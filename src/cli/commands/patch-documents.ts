import path from "node:path";
import { locate } from "../../diagnostics/locate.js";
import type { Diagnostic } from "../../diagnostics/types.js";
import { paragraph } from "../../diagnostics/reporters/text.js";
import { loadSource } from "../../load/load.js";
import type { RawDocument } from "../../load/raw.js";
import { readFileLimited } from "../../platform/read-limited.js";
import { exitCodeOf } from "../exit-code.js";
import type { Context } from "../command.js";

/**
 * Document that a command reads, or the command's exit code if the document
 * can't be used.
 */
export type ReadDocument =
  { readonly document: RawDocument } | { readonly exitCode: number };

/** Reads and checks a document, and prints its errors. */
export function readDocument(file: string, context: Context): ReadDocument {
  const { cwd } = context;
  const { document, sink, text } = loadSource({
    name: file,
    spec: file,
    read: () => readFileLimited(path.resolve(cwd, file)),
  });
  const errors = sink.diagnostics.filter(
    ({ severity }) => severity === "error",
  );
  const located = text === undefined ? errors : locate(errors, text);
  printFindings(located, context);
  return document === undefined || errors.length > 0
    ? { exitCode: exitCodeOf(errors) ?? 3 }
    : { document };
}

/** Prints findings on standard error. */
export function printFindings(
  findings: readonly Diagnostic[],
  { output }: Context,
): void {
  for (const finding of findings) output.err(paragraph(finding, output.color));
}
