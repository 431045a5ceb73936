import { version } from "#built/runtime.js";
import { Sink } from "../diagnostics/sink.js";
import { commands } from "./commands/index.js";
import { chooseCommand, parseArguments } from "./program.js";
import { standardOutput } from "../diagnostics/reporters/output.js";
import { paragraph } from "../diagnostics/reporters/text.js";
import { catalogue } from "../diagnostics/catalogue.js";
import { MissingPackageError } from "../platform/optional-package.js";
import { UsageError } from "./command.js";

/** Runs the command line and returns the exit code. Never throws. */
export async function main(args: readonly string[]): Promise<number> {
  const output = standardOutput();
  const sink = new Sink();
  try {
    return await run(args, output);
  } catch (error) {
    const code = reportError(error, sink);
    for (const finding of sink.diagnostics)
      output.err(paragraph(finding, output.color));
    return code;
  }
}

async function run(
  args: readonly string[],
  output: ReturnType<typeof standardOutput>,
): Promise<number> {
  const { row, rest } = chooseCommand(args, commands);
  const isDefault = row === commands[0];
  const command = await row.load();
  const parsed = parseArguments(rest, process.env, command, {
    usage: isDefault ? "gen" : `gen ${row.name}`,
    summary: row.summary,
    version,
    others: isDefault
      ? commands.slice(1).filter(({ isHidden }) => isHidden !== true)
      : [],
  });
  if ("values" in parsed)
    return command.run(parsed.values, { cwd: process.cwd(), output });
  output.out(parsed.text);
  return 0;
}

/** Reports an error that a command has thrown; returns the exit code. */
export function reportError(error: unknown, sink: Sink): number {
  const code =
    error instanceof UsageError
      ? "usage"
      : error instanceof MissingPackageError
        ? "package-missing"
        : "internal";
  sink.report(code, textOf(error, code === "internal"));
  return catalogue[code].exit ?? 3;
}

/**
 * Returns the message of an error, or the stack trace if the error indicates a
 * bug.
 */
function textOf(error: unknown, isBug: boolean): string {
  if (!(error instanceof Error)) return String(error);
  return (isBug && error.stack) || error.message;
}
