/** Variable that a plan leaves open; its shell form is filled in by the person who runs the command. */
export type Placeholder =
  "APIGEECTL_HOME" | "APIGEECTL_OLD_HOME" | "MART_ACCOUNT";

/** Meaning of each placeholder, and the option that replaces it. */
export const placeholders: Readonly<
  Record<Placeholder, { readonly text: string; readonly option: string }>
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

/** Text around one placeholder. */
export interface OpenWord {
  readonly before: string;
  readonly placeholder: Placeholder;
  readonly after: string;
}

/**
 * Word of a command line. A string is literal: no shell expands any part of it,
 * whatever characters it has.
 */
export type Word = string | OpenWord;

/** Returns a word with a placeholder. */
export function openWord(
  placeholder: Placeholder,
  { before = "", after = "" } = {},
): OpenWord {
  return { before, placeholder, after };
}

/** Adds text on both sides of a word. */
export function around(before: string, word: Word, after = ""): Word {
  return typeof word === "string"
    ? `${before}${word}${after}`
    : {
        ...word,
        before: `${before}${word.before}`,
        after: `${word.after}${after}`,
      };
}

/** Words of a command that has a folder to run in. */
interface Line {
  readonly argv: readonly Word[];
  readonly folder?: Word;
}

/** Placeholders of a command, each once. */
export function placeholdersOf({ argv, folder = "" }: Line): Placeholder[] {
  const found = [...argv, folder].flatMap((word) =>
    typeof word === "string" ? [] : [word.placeholder],
  );
  return [...new Set(found)];
}

/** Returns a word as a shell reads it back: only placeholders are expanded. */
export function shellWord(word: Word): string {
  if (typeof word === "string") return word === "" ? "''" : quoted(word);
  const { before, placeholder, after } = word;
  return `${quoted(before)}"$${placeholder}"${quoted(after)}`;
}

function quoted(text: string): string {
  return /^[\w@%+=:,./-]*$/.test(text)
    ? text
    : `'${text.replace(/'/g, "'\\''")}'`;
}

/** Returns a command as it is typed into a shell, without its folder. */
export function commandLine({ argv: [name = "", ...rest] }: Line): string {
  return [commandName(name), ...rest.map(shellWord)].join(" ");
}

/** `A=b` at the start of a line would be an assignment. */
function commandName(word: Word): string {
  return typeof word === "string" && word.includes("=")
    ? `'${word.replace(/'/g, "'\\''")}'`
    : shellWord(word);
}

/** Returns a command as it is typed into a shell, in its folder. */
export function shellLine(command: Line): string {
  const line = commandLine(command);
  return command.folder === undefined
    ? line
    : `(cd ${shellWord(command.folder)} && ${line})`;
}
