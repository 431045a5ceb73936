import { visible } from "../../diagnostics/invisible.js";
import { Sink } from "../../diagnostics/sink.js";
import type { Diagnostic } from "../../diagnostics/types.js";
import { applyPatches } from "../../patch/apply-patches.js";
import type { PatchFile } from "../../patch/patch-file.js";
import { readPatches } from "../../patch/read-patches.js";
import { UsageError, type Command, type Context } from "../command.js";
import { exitCodeOf } from "../exit-code.js";
import { printFindings, readDocument } from "./patch-documents.js";

const EXIT_CODES = `
Exit codes:
  0  all operations match the description
  2  invalid usage
  3  the description is invalid
  4  a patch is invalid, or an operation does not match the description`;

/**
 * Command `gen patch check`: reports which patch operations apply to a
 * description.
 */
export const patchCheck: Command = {
  operands: {
    name: "file",
    description: "API description, followed by patch files",
    isMany: true,
  },
  options: [],
  help: EXIT_CODES,
  run: async (values, context) =>
    run(values["file"] as readonly string[], context),
};

async function run(
  [spec, ...files]: readonly string[],
  context: Context,
): Promise<number> {
  if (spec === undefined || files.length === 0)
    throw new UsageError("expected a description and at least one patch file");
  const read = readDocument(spec, context);
  if ("exitCode" in read) return read.exitCode;
  const { document } = read;
  const sink = new Sink();
  const api = `${document.name}:${document.version}`;
  const patches = await readPatches(files, context.cwd, sink, api);
  if (!sink.hasErrors) applyPatches(document, patches, sink);
  printFindings(sink.diagnostics, context);
  for (const line of states(patches, sink.diagnostics))
    context.output.out(`${visible(line)}\n`);
  return exitCodeOf(sink.diagnostics) ?? 0;
}

/**
 * Formats a line for each operation: its state, position, kind and JSON
 * pointer. The state is `applies` or part of an error code, such as `conflict`.
 */
function states(
  patches: readonly PatchFile[],
  findings: readonly Diagnostic[],
): string[] {
  const codes = new Map(
    findings
      .filter(({ severity }) => severity === "error")
      .map((finding) => [positionOf(finding), finding.code]),
  );
  return patches.flatMap(({ file, operations }) =>
    operations.map(({ kind, at, line, column }) => {
      const position = positionOf({ file, line, column });
      const state = codes.get(position)?.slice("patch-".length) ?? "applies";
      return `${state.padEnd(9)} ${position}  ${kind} ${at}`;
    }),
  );
}

function positionOf({
  file,
  line,
  column,
}: Pick<Diagnostic, "file" | "line" | "column">): string {
  return `${file}:${line}:${column}`;
}
