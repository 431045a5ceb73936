import { version } from "#built/runtime.js";
import { Sink } from "../diagnostics/sink.js";
import { commands } from "./commands/index.js";
import { chooseCommand, parseArguments } from "./program.js";
import { reportError } from "./report-error.js";
import { standardOutput } from "../diagnostics/reporters/output.js";
import { paragraph } from "../diagnostics/reporters/text.js";

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
