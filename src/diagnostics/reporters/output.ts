import { fstatSync, writeSync } from "node:fs";
import { visibleLines } from "../invisible.js";
import { printJson } from "../json.js";

/** Standard output and standard error of a command. */
export interface Output {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** True if text that is written to `err` may contain color codes. */
  readonly color: boolean;
  /** True if `err` is a terminal, in which the last line can be overwritten. */
  readonly isTerminal: boolean;
}

/**
 * Returns the output streams of this process. By default, colors are used on
 * terminals. FORCE_COLOR enables colors, and NO_COLOR disables them.
 */
export function standardOutput(): Output {
  const { NO_COLOR, FORCE_COLOR } = process.env;
  const isForced = (FORCE_COLOR ?? "0") !== "0";
  return {
    out: (text) => write(1, text),
    err: (text) => write(2, text),
    // Getters, because most runs do not use process.stderr. Node.js creates
    // this stream when it is first used.
    get color() {
      return (NO_COLOR ?? "") === "" && (isForced || this.isTerminal);
    },
    get isTerminal() {
      return process.stderr.isTTY === true;
    },
  };
}

/**
 * Formats JSON. Control and invisible characters are escaped.
 */
export function visibleJson(value: unknown): string {
  return visibleLines(printJson(value));
}

/**
 * Returns text for the log of a job in GitHub Actions: `##[`, with which the
 * runner recognizes commands at any position of a line, is escaped as in JSON.
 * Text of documents could otherwise stop the annotations of a job, or mask text
 * of its log. Returns other text, and text outside of GitHub Actions, unchanged.
 */
export function runnerText(text: string): string {
  return (process.env["GITHUB_ACTIONS"] ?? "") === ""
    ? text
    : text.replaceAll("##[", "\\u0023#[");
}

/** Returns true if a stream is redirected to a file, which is not part of a log. */
function isFile(descriptor: number): boolean {
  try {
    return fstatSync(descriptor).isFile();
  } catch {
    return false;
  }
}

/**
 * Writes synchronously, because the process can exit immediately afterwards.
 * Ignores the error of a closed pipe.
 */
function write(descriptor: number, text: string): void {
  const bytes = Buffer.from(isFile(descriptor) ? text : runnerText(text));
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
