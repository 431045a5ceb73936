import { shellWord } from "../../platform/shell-quote.js";

/** Shell variable for a value that is unknown at the time of planning. */
type PlanVariable = "APIGEECTL_OLD_HOME" | "MART_ACCOUNT";

/**
 * Shell variables, each with a description and the option that sets its value.
 */
export const planVariables: Readonly<
  Record<PlanVariable, { readonly text: string; readonly option: string }>
> = {
  APIGEECTL_OLD_HOME: {
    text: "folder of the old apigeectl",
    option: "--old-home",
  },
  MART_ACCOUNT: {
    text: "email address of the MART service account",
    option: "--mart-account",
  },
};

/**
 * Argument that consists of a shell variable and literal text before and after
 * it.
 */
interface OpenArgument {
  readonly before: string;
  readonly placeholder: PlanVariable;
  readonly after: string;
}

/** Command argument. A string is literal text that is quoted for the shell. */
export type Argument = string | OpenArgument;

/** Returns an argument that contains a shell variable. */
export function openArgument(
  placeholder: PlanVariable,
  { before = "", after = "" } = {},
): OpenArgument {
  return { before, placeholder, after };
}

/** Returns an argument with literal text added before and after it. */
export function addAffixes(
  before: string,
  argument: Argument,
  after = "",
): Argument {
  return typeof argument === "string"
    ? `${before}${argument}${after}`
    : {
        ...argument,
        before: `${before}${argument.before}`,
        after: `${argument.after}${after}`,
      };
}

/** Arguments of a command, and its working directory. */
interface CommandLine {
  readonly argv: readonly Argument[];
  readonly folder?: Argument;
}

/** Returns the distinct shell variables that a command uses. */
export function variablesOf({
  argv,
  folder = "",
}: CommandLine): PlanVariable[] {
  const names = [...argv, folder].flatMap((argument) =>
    typeof argument === "string" ? [] : [argument.placeholder],
  );
  return [...new Set(names)];
}

/**
 * Quotes an argument for a shell. Only the shell variable in the argument is
 * expanded.
 */
export function quoteArgument(argument: Argument): string {
  if (typeof argument === "string")
    return argument === "" ? "''" : quoteText(argument);
  const { before, placeholder, after } = argument;
  return `${quoteText(before)}"$${placeholder}"${quoteText(after)}`;
}

function quoteText(text: string): string {
  return text === "" ? "" : shellWord(text);
}

/**
 * Formats a command for a shell. The result does not contain a `cd` to the
 * working directory of the command.
 */
export function commandLine({
  argv: [name = "", ...rest],
}: CommandLine): string {
  return [commandName(name), ...rest.map(quoteArgument)].join(" ");
}

/**
 * Quotes a command name of the form `A=b`, because the shell would otherwise
 * treat it as an assignment.
 */
function commandName(argument: Argument): string {
  return typeof argument === "string" && argument.includes("=")
    ? `'${argument.replace(/'/g, "'\\''")}'`
    : quoteArgument(argument);
}

/** Formats a command for a shell, preceded by `cd` to its working directory. */
export function shellLine(command: CommandLine): string {
  const line = commandLine(command);
  return command.folder === undefined
    ? line
    : `(cd ${quoteArgument(command.folder)} && ${line})`;
}
