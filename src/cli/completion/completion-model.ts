import { flagOf, type OptionRow } from "../../generate/options.js";
import type { ProjectWords } from "./project-words.js";
import type { Command, CommandRow } from "../command.js";

/**
 * Values that a shell suggests for an option: fixed choices, or a kind of value
 * such as files.
 */
export type CompletionValues =
  readonly string[] | "file" | "folder" | "text" | ProjectWords;

/** Option of a command, with the values that shells complete. */
export interface CompletionOption {
  readonly flag: string;
  readonly description: string;
  /** Values that shells suggest for the option; absent for switches. */
  readonly values?: CompletionValues;
  /** True if several choices can be given, separated by commas. */
  readonly isList: boolean;
}

/** Command, or a prefix of commands such as `overrides`. */
export interface CompletionCommand {
  /**
   * Words of the command as typed, separated by spaces; empty for the default
   * command.
   */
  readonly words: string;
  readonly options: readonly CompletionOption[];
  /** Words that can follow the command, with their descriptions. */
  readonly next: ReadonlyMap<string, string>;
  /** True if the command accepts files as arguments. */
  readonly hasOperands: boolean;
  /** True if the command accepts names of APIs as arguments. */
  readonly hasApis: boolean;
}

/**
 * Loads all commands and returns the words and options that completion scripts
 * suggest.
 */
export async function completionModel(
  rows: readonly CommandRow[],
): Promise<readonly CompletionCommand[]> {
  const commands = new Map<string, Command>();
  const summaries = new Map<string, string>();
  for (const [index, row] of rows.entries()) {
    const command = await row.load();
    commands.set(row.name, command);
    summaries.set(row.name, row.summary);
    // The first row is the default command, which is typed without a name.
    if (index === 0) commands.set("", command);
  }
  return prefixesOf([...commands.keys()]).map((words) => {
    const command = commands.get(words);
    return {
      words,
      options: [...(command?.options.map(optionOf) ?? []), HELP],
      next: nextWords(words, summaries),
      hasOperands: command?.operands !== undefined,
      hasApis: API_OPERANDS.has(command?.operands?.name ?? ""),
    };
  });
}

/** Names of operands whose values are API names. */
const API_OPERANDS: ReadonlySet<string> = new Set(["names", "documents"]);

const HELP: CompletionOption = {
  flag: "--help",
  description: "print this help",
  isList: false,
};

/**
 * Returns the names of commands and the first words of these names, such as
 * `overrides` for `overrides validate`.
 */
function prefixesOf(names: readonly string[]): string[] {
  const prefixes = names.flatMap((name) => {
    const words = name.split(" ");
    return words.map((_, index) => words.slice(0, index + 1).join(" "));
  });
  return [...new Set(["", ...prefixes])].sort();
}

function nextWords(
  words: string,
  summaries: ReadonlyMap<string, string>,
): Map<string, string> {
  const start = words === "" ? "" : `${words} `;
  const next = new Map<string, string>();
  for (const [name, summary] of summaries) {
    if (!name.startsWith(start)) continue;
    const [word = "", ...rest] = name.slice(start.length).split(" ");
    const isGroup = rest.length > 0;
    if (!next.has(word))
      next.set(word, isGroup ? `Commands of ${start}${word}.` : summary);
  }
  return next;
}

function optionOf(row: OptionRow): CompletionOption {
  const { name, kind, description, choices } = row;
  const option = {
    flag: flagOf(name),
    description,
    isList: kind === "choices",
  };
  if (kind === "switch") return option;
  return { ...option, values: choices ?? pathKind(row) };
}

function pathKind({ name, value = "" }: OptionRow): CompletionValues {
  if (name === "api") return "apis";
  if (value === "selector") return "methods";
  if (value === "dir") return "folder";
  return value === "file" || value === "source" ? "file" : "text";
}
