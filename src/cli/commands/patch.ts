import path from "node:path";
import { existsSync, mkdirSync } from "node:fs";
import { formatCount } from "../../diagnostics/format-count.js";
import { visible } from "../../diagnostics/invisible.js";
import { createPatch, printPatch } from "../../patch/create-patch.js";
import { replaceFile } from "../../platform/replace-file.js";
import { loadConfig } from "../../config/load-config.js";
import { configOption } from "../../generate/options.js";
import {
  adoptedOperations,
  withoutOperations,
} from "../../patch/prune-patch.js";
import {
  requireConfig,
  UsageError,
  type Command,
  type Context,
} from "../command.js";
import { Sink } from "../../diagnostics/sink.js";
import type { Diagnostic } from "../../diagnostics/types.js";
import { applyPatches } from "../../patch/apply-patches.js";
import type { PatchFile } from "../../patch/patch-file.js";
import { readPatches } from "../../patch/read-patches.js";
import { exitCodeOf } from "../exit-code.js";
import { locate } from "../../diagnostics/locate.js";
import { paragraph } from "../../diagnostics/reporters/text.js";
import { loadSource } from "../../load/load.js";
import type { RawDocument } from "../../load/raw.js";
import { readFileLimited } from "../../platform/read-limited.js";

/** Option values of `gen patch new`. */
interface Values {
  readonly file: readonly string[];
  readonly out?: string;
  readonly force?: boolean;
}

const NEW_EXIT_CODES = `
Exit codes:
  0  the patch was written, or the documents are equal
  2  invalid usage, or the file can't be written
  3  a description is invalid`;

/**
 * Command `gen patch new`: writes a patch from an edited copy of a description.
 */
export const patchNew: Command = {
  operands: {
    name: "file",
    description: "API description, followed by its edited copy",
    isMany: true,
  },
  options: [
    {
      name: "out",
      kind: "text",
      value: "file",
      description:
        "patch file to write: .yaml, .yml or .json (default: standard output)",
    },
    {
      name: "force",
      kind: "switch",
      description: "overwrite an existing file",
    },
  ],
  variables: "PATCH_",
  help: NEW_EXIT_CODES,
  run: async (values, context) =>
    writePatch(values as unknown as Values, context),
};

function writePatch({ file, out, force }: Values, context: Context): number {
  const [oldFile, editedFile, ...more] = file;
  if (oldFile === undefined || editedFile === undefined || more.length > 0)
    throw new UsageError(
      `expected two files, the description and its edited copy, found ${file.length}`,
    );
  const target = out === undefined ? undefined : path.resolve(context.cwd, out);
  if (target !== undefined && force !== true && existsSync(target))
    throw new UsageError(`${out} exists; use --force to overwrite it`);
  const old = readDocument(oldFile, context);
  const edited = readDocument(editedFile, context);
  if ("exitCode" in old) return old.exitCode;
  if ("exitCode" in edited) return edited.exitCode;
  const operations = createPatch(old.document, edited.document);
  const { output } = context;
  if (operations.length === 0) {
    output.err("the documents are equal; no patch is needed\n");
    return 0;
  }
  const { name, version, revision } = old.document;
  const patch = { api: `${name}:${version}`, revision, operations };
  const isJson = out?.toLowerCase().endsWith(".json") === true;
  const text = printPatch(patch, isJson ? "json" : "yaml");
  if (target === undefined) output.out(text);
  else {
    write(target, text);
    const count = formatCount(operations.length, "operation");
    output.out(`${visible(out!)}: ${count}\n`);
  }
  return 0;
}

function write(target: string, text: string): void {
  try {
    mkdirSync(path.dirname(target), { recursive: true });
    replaceFile(target, text);
  } catch (error) {
    throw new UsageError(
      `the patch can't be written: ${(error as Error).message}`,
    );
  }
}

const CHECK_EXIT_CODES = `
Exit codes:
  0  all operations apply, or the description already contains their changes
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
  help: CHECK_EXIT_CODES,
  run: async (values, context) =>
    checkPatches(values["file"] as readonly string[], context),
};

async function checkPatches(
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

const PRUNE_HELP = `
Without arguments, the patches of all APIs in the config are pruned.

Exit codes:
  0  the operations were removed, or there were none
  2  invalid usage or config, or a file can't be written
  3  a description is invalid
  4  a patch is invalid`;

/**
 * Command `gen patch prune`: removes operations whose changes a description
 * already contains.
 */
export const patchPrune: Command = {
  operands: {
    name: "file",
    description: "API description, followed by patch files",
    isMany: true,
    isOptional: true,
  },
  options: [configOption],
  help: PRUNE_HELP,
  run: async (values, context) => prune(values as PruneValues, context),
};

interface PruneValues {
  readonly file?: readonly string[];
  readonly config?: string;
  readonly noConfig?: boolean;
}

/** Description with its patch files. */
interface Patched {
  readonly spec: string;
  readonly files: readonly string[];
}

async function prune(
  { file: [spec, ...files] = [], config, noConfig }: PruneValues,
  context: Context,
): Promise<number> {
  if (spec !== undefined && files.length === 0)
    throw new UsageError("expected a description and at least one patch file");
  if (spec !== undefined) return pruneAll([{ spec, files }], context);
  requireConfig(noConfig, "gen patch prune without a description");
  const { cwd } = context;
  const { resolved, diagnostics } = await loadConfig({ cwd, config });
  printFindings(diagnostics, context);
  if (resolved === undefined) return exitCodeOf(diagnostics) ?? 2;
  const patched = resolved.jobs
    .flatMap(({ apis }) => apis)
    .filter(({ patches }) => patches.length > 0)
    .map((api): Patched => ({ spec: api.file, files: api.patches }));
  const unique = new Map(patched.map((one) => [JSON.stringify(one), one]));
  return pruneAll([...unique.values()], context);
}

/** Prunes the patches of each description; an error does not stop the others. */
async function pruneAll(
  patched: readonly Patched[],
  context: Context,
): Promise<number> {
  let code = 0;
  let removed = 0;
  for (const { spec, files } of patched) {
    const read = readDocument(spec, context);
    if ("exitCode" in read) {
      code = Math.max(code, read.exitCode);
      continue;
    }
    const sink = new Sink();
    const { name, version } = read.document;
    const patches = await readPatches(
      files,
      context.cwd,
      sink,
      `${name}:${version}`,
    );
    printFindings(sink.diagnostics, context);
    code = Math.max(code, exitCodeOf(sink.diagnostics) ?? 0);
    const adopted = adoptedOperations(read.document, patches);
    for (const [patch, operations] of adopted) {
      if (operations.length === 0) continue;
      const target = path.resolve(context.cwd, patch.file);
      const text = readFileLimited(target).toString();
      write(target, await withoutOperations(text, patch, operations));
      removed += operations.length;
      for (const { kind, at } of operations)
        context.output.out(
          `${visible(`${patch.file}: removed ${kind} ${at}`)}\n`,
        );
    }
  }
  context.output.out(`${formatCount(removed, "operation")} removed\n`);
  return code;
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
      .filter(
        ({ severity, code }) =>
          severity === "error" || code === "patch-upstream",
      )
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

/**
 * Document that a command reads, or the command's exit code if the document
 * can't be used.
 */
type ReadDocument =
  { readonly document: RawDocument } | { readonly exitCode: number };

/** Reads and checks a document, and prints its errors. */
function readDocument(file: string, context: Context): ReadDocument {
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
function printFindings(
  findings: readonly Diagnostic[],
  { output }: Context,
): void {
  for (const finding of findings) output.err(paragraph(finding, output.color));
}
