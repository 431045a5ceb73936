import { writeSync } from "node:fs";
import { printJson } from "../json.js";

/** Where a report goes. */
export interface Output {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** Whether escape sequences may color what goes to `err`. */
  readonly color: boolean;
  /** Whether `err` is a terminal, whose last line can be written anew. */
  readonly isTerminal: boolean;
}

/** Standard output and error; colors as NO_COLOR and FORCE_COLOR ask for. */
export function standardOutput(): Output {
  const { NO_COLOR, FORCE_COLOR } = process.env;
  const isTerminal = process.stderr.isTTY === true;
  const isForced = (FORCE_COLOR ?? "0") !== "0";
  return {
    out: (text) => write(1, text),
    err: (text) => write(2, text),
    color: (NO_COLOR ?? "") === "" && (isTerminal || isForced),
    isTerminal,
  };
}

/**
 * Text of documents and names of files must not steer the terminal, nor show
 * in another order than they run.
 */
export function visible(text: string): string {
  return text.replace(
    /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g,
    escaped,
  );
}

/** JSON that is as harmless on a terminal: the same escapes are JSON's own. */
export function visibleJson(value: unknown): string {
  return printJson(value).replace(
    /[\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g,
    escaped,
  );
}

function escaped(character: string): string {
  const json = JSON.stringify(character).slice(1, -1);
  return json === character
    ? `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`
    : json;
}

/** Writes all of it, now: the process may end right after. A closed pipe is nobody's problem. */
function write(descriptor: number, text: string): void {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length;) {
    try {
      at += writeSync(descriptor, bytes, at);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "EPIPE") return;
      if (code !== "EAGAIN") throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
    }
  }
}
