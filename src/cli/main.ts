import { writeSync } from "node:fs";
import { generateCommand } from "./generate.js";
import { parseCommandLine } from "./program.js";
import type { Output } from "./report.js";

/** Runs the command line; the exit code. Never throws. */
export async function main(args: readonly string[]): Promise<number> {
  const output = standardOutput();
  try {
    const parsed = parseCommandLine(args, process.env);
    if ("values" in parsed)
      return await generateCommand(parsed.values, process.cwd(), output);
    (parsed.exitCode === 0 ? output.out : output.err)(parsed.text);
    return parsed.exitCode;
  } catch (error) {
    output.err(
      `gen: error internal: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
    );
    output.err(
      "    This is a bug in the generator: please report it with the document.\n",
    );
    return 5;
  }
}

function standardOutput(): Output {
  const { NO_COLOR, FORCE_COLOR } = process.env;
  const color =
    NO_COLOR === undefined || NO_COLOR === ""
      ? process.stderr.isTTY === true || (FORCE_COLOR ?? "0") !== "0"
      : false;
  return {
    out: (text) => write(1, text),
    err: (text) => write(2, text),
    color,
  };
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
    }
  }
}
