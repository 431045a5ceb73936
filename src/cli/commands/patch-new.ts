import { existsSync, mkdirSync } from "node:fs";
import path from "node:path";
import { formatCount } from "../../diagnostics/format-count.js";
import { visible } from "../../diagnostics/invisible.js";
import { createPatch, printPatch } from "../../patch/create-patch.js";
import { replaceFile } from "../../platform/replace-file.js";
import { UsageError, type Command, type Context } from "../command.js";
import { readDocument } from "./patch-documents.js";

interface Values {
  readonly file: readonly string[];
  readonly out?: string;
  readonly force?: boolean;
}

const EXIT_CODES = `
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
  help: EXIT_CODES,
  run: async (values, context) => run(values as unknown as Values, context),
};

function run({ file, out, force }: Values, context: Context): number {
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
