import { createTwoFilesPatch } from "diff";
import { lstatSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { configureApis } from "../../config/add-apis.js";
import { findConfig } from "../../config/find-config.js";
import { loadConfig } from "../../config/load-config.js";
import type { ResolvedConfig } from "../../config/job.js";
import { formatCount } from "../../diagnostics/format-count.js";
import { visible, visibleLines } from "../../diagnostics/invisible.js";
import { paragraph } from "../../diagnostics/reporters/text.js";
import { Sink } from "../../diagnostics/sink.js";
import { configOption } from "../../generate/options.js";
import { migrateGoogleapis, type MigrateResult } from "../../migrate/index.js";
import { refuseStray } from "../../platform/output-path.js";
import { replaceFile } from "../../platform/replace-file.js";
import { UsageError, type Command, type Context } from "../command.js";
import { exitCodeOf } from "../exit-code.js";

interface Values {
  readonly glob: readonly string[];
  readonly write?: boolean;
  readonly report?: string;
  readonly keepAuth?: boolean;
  readonly config?: string;
  readonly noConfig?: boolean;
}

const EXIT_CODES = `
Positions that the command can't decide get a comment "TODO(gen migrate)" and an
entry in the report. A file whose result would not parse stays unchanged.

Exit codes:
  0  the files were migrated, or printed as a diff
  1  some positions are not decided
  2  invalid usage or config, no file matches, or a file can't be written`;

/** Command `gen migrate googleapis`. */
export const migrateGoogleapisCommand: Command = {
  operands: {
    name: "glob",
    description: "TypeScript and JavaScript files, such as 'src/**'",
    isMany: true,
  },
  options: [
    {
      name: "write",
      kind: "switch",
      description:
        "write the files, and add missing APIs to the config (default: print a diff)",
    },
    {
      name: "report",
      kind: "text",
      value: "file",
      description:
        "JSON file with the number of edits and the undecided positions of each file",
    },
    {
      name: "keepAuth",
      kind: "switch",
      description:
        "import credentials from google-auth-library instead of those of runtime/auth",
    },
    configOption,
  ],
  help: EXIT_CODES,
  run: (values, context) => run(values as unknown as Values, context),
};

async function run(values: Values, context: Context): Promise<number> {
  const { glob, write = false, report, keepAuth = false } = values;
  const { cwd, output } = context;
  const { config, exitCode } = await readConfig(values, context);
  if (exitCode !== undefined) return exitCode;
  const result = await migrateGoogleapis({
    cwd,
    patterns: glob,
    config,
    keepAuth,
  });
  if (result.matched === 0)
    throw new UsageError(
      `no TypeScript or JavaScript file matches ${glob.map((one) => JSON.stringify(one)).join(", ")}`,
    );
  const changed = result.files.filter(({ before, after }) => before !== after);
  if (write) writeAll(changed, cwd);
  else
    for (const { file, before, after } of changed)
      output.out(visibleLines(diffOf(file, before, after)));
  if (report !== undefined) writeReport(report, result, cwd);
  const todos = result.files.flatMap(({ file, todo }) =>
    todo.map((one) => ({ file, ...one })),
  );
  for (const { file, line, column, message } of todos)
    output.err(`${visible(`${file}:${line}:${column}: ${message}`)}\n`);
  const code = write ? await addMissing(result, values, context) : undefined;
  output.err(summary(result, write, changed.length, todos.length));
  return code ?? (todos.length > 0 ? 1 : 0);
}

/** Milliseconds after which a diff of a large file is given up. */
const DIFF_TIMEOUT = 5000;

function diffOf(file: string, before: string, after: string): string {
  const names = [`a/${file}`, `b/${file}`] as const;
  return (
    createTwoFilesPatch(...names, before, after, undefined, undefined, {
      timeout: DIFF_TIMEOUT,
    }) ?? `${file}: too many changes for a diff\n`
  );
}

/** Reads the config, if the project has one. */
async function readConfig(
  { config: name, noConfig }: Values,
  { cwd, output }: Context,
): Promise<{ config?: ResolvedConfig; exitCode?: number }> {
  if (noConfig === true) return {};
  const sink = new Sink();
  if (findConfig(cwd, name, sink, false) === undefined && !sink.hasErrors)
    return {};
  const { resolved, diagnostics } = await loadConfig({ cwd, config: name });
  const errors = diagnostics.filter(({ code }) => code !== "config-empty");
  for (const one of errors) output.err(paragraph(one, output.color));
  const exitCode = exitCodeOf(errors);
  return {
    ...(resolved === undefined ? {} : { config: resolved }),
    ...(exitCode === undefined ? {} : { exitCode }),
  };
}

/** Writes files after all of them were checked. */
function writeAll(files: MigrateResult["files"], cwd: string): void {
  try {
    for (const { file, before } of files) {
      const name = path.resolve(cwd, file);
      refuseStray(name, cwd);
      if ((statSync(name).mode & 0o222) === 0)
        throw new Error(`${file} is read-only`);
      if (readFileSync(name, "utf8") !== before)
        throw new Error(`${file} was changed by another program`);
    }
    for (const { file, after } of files)
      replaceFile(path.resolve(cwd, file), after);
  } catch (error) {
    throw new UsageError(`can't write: ${(error as Error).message}`);
  }
}

function writeReport(
  name: string,
  { files }: MigrateResult,
  cwd: string,
): void {
  const target = path.resolve(cwd, name);
  if (lstatSync(target, { throwIfNoEntry: false })?.isDirectory() === true)
    throw new UsageError(`--report must be a file; ${name} is a folder`);
  const list = files.map(({ file, edits, todo }) => ({ file, edits, todo }));
  try {
    refuseStray(target, cwd);
    replaceFile(target, `${JSON.stringify({ files: list }, undefined, 2)}\n`);
  } catch (error) {
    throw new UsageError(
      `the report can't be written: ${(error as Error).message}`,
    );
  }
}

/** Adds APIs to the config without fetching their documents. */
async function addMissing(
  { missing }: MigrateResult,
  { config, noConfig }: Values,
  { cwd, output }: Context,
): Promise<number | undefined> {
  if (missing.length === 0 || noConfig === true) return undefined;
  const added = await configureApis(missing, { cwd, config });
  for (const one of added.diagnostics) output.err(paragraph(one, output.color));
  if (added.snippet !== undefined)
    output.err(
      `add this text to the section apis of ${visible(added.config!)}:\n${added.snippet}\n`,
    );
  else if (added.config !== undefined)
    output.err(`changed ${visible(added.config)}\n`);
  return exitCodeOf(added.diagnostics);
}

function summary(
  { matched, missing, guessed }: MigrateResult,
  isWritten: boolean,
  changed: number,
  todos: number,
): string {
  const state = isWritten ? "changed" : "to change (--write changes them)";
  const lines = [
    `${formatCount(matched, "file")} read, ${changed} ${state}, ${formatCount(todos, "undecided position")}`,
  ];
  if (missing.length > 0)
    lines.push(
      `APIs that are not in the config: ${missing.join(", ")}; ${isWritten ? "run `gen fetch` and `gen --auth`" : `run \`gen add ${missing.join(" ")}\` first, or use --write`}`,
    );
  if (guessed.length > 0)
    lines.push(
      `names of ${guessed.join(", ")} are guessed, because the documents are missing`,
    );
  return lines.map((line) => `${line}\n`).join("");
}
