import { shellQuote } from "../../platform/shell-quote.js";
import type { CompletionCommand } from "./completion-model.js";

/** Names of the commands that the package installs. */
export const PROGRAMS: readonly ["gen", "discovery-codegen"] = [
  "gen",
  "discovery-codegen",
];

/** Quotes a string for fish, which supports escapes in single quotes. */
export function fishQuote(text: string): string {
  return `'${text.replace(/[\\']/g, "\\$&")}'`;
}

/**
 * Returns a pattern for the `case` statement of bash and zsh that matches all
 * commands.
 */
export function commandPattern(commands: readonly CompletionCommand[]): string {
  return commands
    .filter(({ words }) => words !== "")
    .map(({ words }) => shellQuote(words))
    .join(" | ");
}
