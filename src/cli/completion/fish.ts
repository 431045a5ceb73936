import type {
  CompletionCommand,
  CompletionOption,
} from "./completion-model.js";
import { fishQuote, PROGRAMS } from "./quote.js";

/** Returns the completion script for fish. */
export function fishScript(commands: readonly CompletionCommand[]): string {
  const names = commands
    .filter(({ words }) => words !== "")
    .map(({ words }) => fishQuote(words));
  return `# Completion of gen for fish. Load it with: gen completion fish | source
function __gen_command
    set -l command
    for word in (commandline -opc)[2..-1]
        set -l next (string join ' ' -- $command $word)
        contains -- $next ${names.join(" ")}; or break
        set -a command $word
    end
    test (string join ' ' -- $command | string collect --allow-empty) = $argv[1]
end
${PROGRAMS.map((program) => `complete -c ${program} -f`).join("\n")}
${PROGRAMS.flatMap((program) => commands.flatMap((command) => linesOf(program, command))).join("\n")}
`;
}

function linesOf(
  program: string,
  { words, options, next, hasOperands, hasApis }: CompletionCommand,
): string[] {
  const condition = fishQuote(`__gen_command ${fishQuote(words)}`);
  const start = `complete -c ${program} -n ${condition}`;
  return [
    ...[...next].map(
      ([word, summary]) =>
        `${start} -a ${fishQuote(word)} -d ${fishQuote(summary)}`,
    ),
    ...options.map(
      (option) =>
        `${start} -l ${option.flag.slice(2)}${argument(option, program)} -d ${fishQuote(option.description)}`,
    ),
    ...(hasApis ? [`${start} -a '${projectWords(program, "apis")}'`] : []),
    ...(hasOperands ? [`${start} -F`] : []),
  ];
}

function argument({ values }: CompletionOption, program: string): string {
  if (values === undefined) return "";
  if (values === "text") return " -x";
  if (values === "file") return " -r -F";
  if (values === "folder") return " -x -a '(__fish_complete_directories)'";
  return typeof values === "string"
    ? ` -x -a '${projectWords(program, values)}'`
    : ` -x -a ${fishQuote(values.join(" "))}`;
}

/**
 * Returns a command substitution that lists the API names or method ids of the
 * project.
 */
function projectWords(program: string, kind: string): string {
  return `(command ${program} completion ${kind} 2>/dev/null </dev/null)`;
}
