import path from "node:path";
import { readFileLimited } from "../../platform/read-limited.js";
import { readUpgradeSettings } from "../../overrides/upgrade/settings.js";
import {
  dryRunValue,
  checkToolCommand,
  toolCommands,
} from "../../overrides/upgrade/tool-table.js";
import { checkFile, resolveCheckOptions } from "../../overrides/validate.js";
import { UsageError, type Command } from "../command.js";
import { visible } from "../../diagnostics/invisible.js";

interface Values {
  readonly command: readonly string[];
  readonly toolVersion: string;
  readonly kubectl?: string;
  readonly overrides?: string;
}

const COMMANDS = toolCommands
  .map(({ name, summary }) => `  ${name.padEnd(12)}${summary}`)
  .join("\n");

/** Command `upgrade tool`: checks an `apigeectl` command line. */
export const upgradeTool: Command = {
  operands: {
    name: "command",
    description: "apigeectl command line, after --",
    isMany: true,
    takesFlags: true,
  },
  options: [
    {
      name: "toolVersion",
      kind: "choice",
      value: "version",
      choices: ["1.2", "1.3.6"],
      default: "1.3.6",
      description: "version of apigeectl",
    },
    {
      name: "kubectl",
      kind: "text",
      value: "version",
      description:
        "version of kubectl; apigeectl requires --dry-run=true up to 1.17, and --dry-run=client since 1.18",
    },
    {
      name: "overrides",
      kind: "text",
      value: "file",
      description: "overrides file that contains the environments for --env",
    },
  ],
  variables: "UPGRADE_",
  help: `\nCommands of apigeectl:\n${COMMANDS}\n\nExit codes:\n  0  the apigeectl command is valid\n  2  the apigeectl command or the usage is invalid`,
  run: async (given, { cwd, output }) => {
    const values = given as unknown as Values;
    const dryRun =
      values.kubectl === undefined ? undefined : dryRunValue(values.kubectl);
    if (values.kubectl !== undefined && dryRun === undefined)
      throw new UsageError(
        `--kubectl must be a version such as 1.17, found ${values.kubectl}`,
      );
    const problems = checkToolCommand(values.command, {
      version: values.toolVersion,
      ...(dryRun === undefined ? {} : { dryRun }),
      ...environmentsOf(values, cwd),
    });
    for (const problem of problems) output.err(`${visible(problem)}\n`);
    if (problems.length === 0) output.out("valid\n");
    return problems.length === 0 ? 0 : 2;
  },
};

function environmentsOf(
  { overrides }: Values,
  cwd: string,
): { environments?: readonly string[] } {
  if (overrides === undefined) return {};
  try {
    const bytes = readFileLimited(path.resolve(cwd, overrides));
    const { root } = checkFile(overrides, bytes, resolveCheckOptions("1.3.6"));
    if (root !== undefined)
      return { environments: readUpgradeSettings(root, cwd).environments };
  } catch (error) {
    throw new UsageError(`${overrides}: ${(error as Error).message}`);
  }
  throw new UsageError(`${overrides} must be an overrides file`);
}
