/** Shell variable for a value that is unknown when the plan is made. */
export type PlanVariable =
  "APIGEECTL_HOME" | "APIGEECTL_OLD_HOME" | "MART_ACCOUNT";

/** Meaning of each placeholder, and the option that replaces it. */
export const planVariables: Readonly<
  Record<PlanVariable, { readonly text: string; readonly option: string }>
> = {
  APIGEECTL_HOME: {
    text: "folder of the old control tool",
    option: "--old-home",
  },
  APIGEECTL_OLD_HOME: {
    text: "folder of the old control tool",
    option: "--old-home",
  },
  MART_ACCOUNT: {
    text: "mail address of MART's service account",
    option: "--mart-account",
  },
};

/** Argument with one placeholder and literal text around it. */
export interface OpenArgument {
  readonly before: string;
  readonly placeholder: PlanVariable;
  readonly after: string;
}

/**
 * Argument of a command. A string is literal: its characters are quoted where a
 * shell would expand them.
 */
export type Argument = string | OpenArgument;

/** Creates an argument with a placeholder. */
export function openArgument(
  placeholder: PlanVariable,
  { before = "", after = "" } = {},
): OpenArgument {
  return { before, placeholder, after };
}

/** Adds literal text before and after an argument. */
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

/** Arguments of a command, with its working folder. */
interface CommandLine {
  readonly argv: readonly Argument[];
  readonly folder?: Argument;
}

/** Returns the distinct placeholders of a command. */
export function variablesOf({
  argv,
  folder = "",
}: CommandLine): PlanVariable[] {
  const names = [...argv, folder].flatMap((argument) =>
    typeof argument === "string" ? [] : [argument.placeholder],
  );
  return [...new Set(names)];
}

/** Quotes an argument for a shell, which expands only the placeholder. */
export function shellQuote(argument: Argument): string {
  if (typeof argument === "string")
    return argument === "" ? "''" : quoteText(argument);
  const { before, placeholder, after } = argument;
  return `${quoteText(before)}"$${placeholder}"${quoteText(after)}`;
}

function quoteText(text: string): string {
  return /^[\w@%+=:,./-]*$/.test(text)
    ? text
    : `'${text.replace(/'/g, "'\\''")}'`;
}

/** Returns a command as shell input, without its folder. */
export function commandLine({
  argv: [name = "", ...rest],
}: CommandLine): string {
  return [commandName(name), ...rest.map(shellQuote)].join(" ");
}

/** Quotes `A=b`, which a shell would otherwise read as an assignment. */
function commandName(argument: Argument): string {
  return typeof argument === "string" && argument.includes("=")
    ? `'${argument.replace(/'/g, "'\\''")}'`
    : shellQuote(argument);
}

/** Returns a command as shell input that changes to its folder first. */
export function shellLine(command: CommandLine): string {
  const line = commandLine(command);
  return command.folder === undefined
    ? line
    : `(cd ${shellQuote(command.folder)} && ${line})`;
}
