import { existsSync } from "node:fs";
import path from "node:path";
import { findConfig } from "../../config/find-config.js";
import type { ResolvedConfig } from "../../config/job.js";
import { loadConfig } from "../../config/load-config.js";
import { LOCK_FILE } from "../../config/resolve-jobs.js";
import { Sink } from "../../diagnostics/sink.js";
import {
  flagOf,
  noConfigOption,
  type OptionRow,
} from "../../generate/options.js";
import { loadSource } from "../../load/load.js";
import { listSources } from "../../load/sources.js";
import { methodIds } from "../../patch/rename.js";
import { readLock } from "../../remote/lock-file.js";
import type { Command, CommandRow } from "../command.js";

/** Word that can follow on the command line, with its description. */
type Candidate = readonly [word: string, description: string];

/** Candidates for which the shell itself completes paths. */
const FILE: Candidate = [":file", ""];
const FOLDER: Candidate = [":directory", ""];

/**
 * Returns the command that completion scripts run: it prints the candidates for
 * the last word, each in a line with a tab and its description.
 * @param rows commands that are completed
 */
export function completeOf(rows: readonly CommandRow[]): Command {
  return {
    options: [],
    operands: {
      name: "words",
      description: "words of the command line; the last one is completed",
      isMany: true,
      isOptional: true,
    },
    run: async ({ words }, { cwd, output }) => {
      const found = await candidatesOf(joined(words as string[]), rows, cwd);
      output.out(
        found
          .map((candidate) => `${candidate.join("\t").trimEnd()}\n`)
          .join(""),
      );
      return 0;
    },
  };
}

/** Joins words that bash has split at colons. */
function joined(words: readonly string[]): string[] {
  const result: string[] = [];
  for (const [index, word] of words.entries())
    if (result.length > 0 && (word === ":" || words[index - 1] === ":"))
      result.push(result.pop()! + word);
    else result.push(word);
  return result;
}

async function candidatesOf(
  words: readonly string[],
  rows: readonly CommandRow[],
  cwd: string,
): Promise<readonly Candidate[]> {
  const current = words.at(-1) ?? "";
  const before = words.slice(0, -1);
  const name = commandName(before, rows);
  // The first row is the default command, which is typed without a name.
  const row = name === "" ? rows[0] : rows.find((each) => each.name === name);
  const command = await row?.load();
  const options = command?.options ?? [];
  const option = options.find((each) => flagOf(each.name) === before.at(-1));
  const found =
    option !== undefined && option.kind !== "switch"
      ? await valuesOf(option, current, cwd)
      : current.startsWith("-")
        ? flagsOf(options)
        : [...nextWords(name, rows), ...(await operandsOf(command, cwd))];
  return found.filter(
    ([word]) => word.startsWith(":") || word.startsWith(current),
  );
}

/** Returns the longest name or start of a name of a command. */
function commandName(
  words: readonly string[],
  rows: readonly CommandRow[],
): string {
  const starts = words.map((_, index) => words.slice(0, index + 1).join(" "));
  const known = starts.findIndex(
    (start) => !rows.some(({ name }) => `${name} `.startsWith(`${start} `)),
  );
  return (known === -1 ? starts.at(-1) : starts[known - 1]) ?? "";
}

function nextWords(name: string, rows: readonly CommandRow[]): Candidate[] {
  const start = name === "" ? "" : `${name} `;
  const next = new Map<string, string>();
  for (const row of rows) {
    if (!row.name.startsWith(start) || row.isHidden === true) continue;
    const [word = "", ...rest] = row.name.slice(start.length).split(" ");
    if (!next.has(word))
      next.set(
        word,
        rest.length > 0 ? `Commands of ${start}${word}.` : row.summary,
      );
  }
  return [...next];
}

function flagsOf(options: readonly OptionRow[]): Candidate[] {
  return [
    ...[...options, noConfigOption].map(({ name, description }): Candidate => [
      flagOf(name),
      description,
    ]),
    ["--help", "print this help"],
  ];
}

/** Names of operands whose values can be API names. */
const API_OPERANDS: readonly unknown[] = ["names", "documents"];

async function operandsOf(
  command: Command | undefined,
  cwd: string,
): Promise<Candidate[]> {
  const name = command?.operands?.name;
  if (name === undefined) return [];
  return [...(API_OPERANDS.includes(name) ? await apis(cwd) : []), FILE];
}

async function valuesOf(
  { name, kind, value = "", choices }: OptionRow,
  current: string,
  cwd: string,
): Promise<Candidate[]> {
  if (choices !== undefined) {
    // Values of a list are separated by commas.
    const start =
      kind === "choices" ? current.slice(0, current.lastIndexOf(",") + 1) : "";
    return choices.map((choice) => [start + choice, ""]);
  }
  if (name === "api") return apis(cwd);
  if (value === "selector") return methods(cwd);
  if (value === "dir") return [FOLDER];
  return value === "file" || value === "source" ? [FILE] : [];
}

/**
 * Maximum number of candidates, and of documents that are searched for method
 * ids.
 */
const MAX_WORDS = 10_000;
const MAX_DOCUMENTS = 30;

/**
 * Pattern for words that need no quoting in any supported shell: they contain no
 * blanks, quotes or expansions.
 */
const SAFE = /^[\w.:-]{1,200}$/;

/** Returns the names of the project's APIs. */
function apis(cwd: string): Promise<Candidate[]> {
  return projectWords(cwd, (config) => {
    const configured = config?.jobs.flatMap((job) => job.apis) ?? [];
    const file = path.join(cwd, LOCK_FILE);
    const locked = existsSync(file)
      ? readLock(file, LOCK_FILE, new Sink())
      : undefined;
    return [...configured.map(({ id }) => id), ...(locked?.keys() ?? [])];
  });
}

/** Returns the ids of the methods in the project's documents. */
function methods(cwd: string): Promise<Candidate[]> {
  return projectWords(cwd, async (config) => {
    const files = config?.jobs.flatMap((job) =>
      job.apis.map(({ file }) => file),
    );
    const { sources } = await listSources(files ?? ["specs"], cwd);
    return sources.slice(0, MAX_DOCUMENTS).flatMap((source) => {
      const { document } = loadSource(source);
      return document === undefined ? [] : methodIds(document);
    });
  });
}

/**
 * Returns words of a project, without descriptions. Returns nothing if the
 * project can't be read, because a shell can't show errors during completion.
 */
async function projectWords(
  cwd: string,
  read: (
    config: ResolvedConfig | undefined,
  ) => readonly string[] | Promise<readonly string[]>,
): Promise<Candidate[]> {
  try {
    const words = await read(await dataConfig(cwd));
    return [...new Set(words)]
      .filter((word) => SAFE.test(word))
      .sort()
      .slice(0, MAX_WORDS)
      .map((word) => [word, ""]);
  } catch {
    return [];
  }
}

/**
 * Reads the config of a folder. Ignores configs in JavaScript and TypeScript: the
 * tab key must not run code.
 */
async function dataConfig(cwd: string): Promise<ResolvedConfig | undefined> {
  const file = findConfig(cwd, undefined, new Sink(), false);
  if (file === undefined || !/\.(?:ya?ml|json)$/.test(file)) return undefined;
  const config = path.relative(cwd, file);
  return (await loadConfig({ cwd, config })).resolved;
}
