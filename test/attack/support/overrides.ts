import { writeFileSync } from "node:fs";
import path from "node:path";
import type { Context } from "../../../src/cli/command.js";
import { overridesRewrite } from "../../../src/cli/commands/overrides-rewrite.js";
import { overridesValidate } from "../../../src/cli/commands/overrides-validate.js";
import { upgradePlan } from "../../../src/cli/commands/upgrade-plan.js";
import {
  checkFile,
  resolveCheckOptions,
} from "../../../src/overrides/validate.js";

/** Output of a command for a file, except the rewritten file itself. */
export interface Printed {
  readonly command: string;
  readonly text: string;
}

const VALIDATE = { target: "1.3.6", strict: false };
const REWRITE = { watcherAccount: "./w.json", metricsAccount: "./m.json" };
const PLAN = {
  from: "1.2.0",
  to: "1.3.6",
  mode: "prod",
  platform: "gke",
  kubectl: "1.17",
  tool: "apigeectl",
};

/** Runs every command that reads an overrides file, in every format. */
export async function printedFor(
  cwd: string,
  text: string,
): Promise<Printed[]> {
  writeFileSync(path.join(cwd, "o.yaml"), text);
  const printed: Printed[] = [];
  const run = async (
    command: string,
    start: (context: Context) => unknown,
  ): Promise<void> => {
    let out = "";
    const add = (more: string): void => void (out += more);
    const output = { out: add, err: add, color: false, isTerminal: false };
    try {
      await start({ cwd, output } as Context);
    } catch (error) {
      if ((error as Error).constructor.name !== "UsageError") throw error;
      out += (error as Error).message;
    }
    printed.push({ command, text: out });
  };
  for (const format of ["text", "json", "sarif", "github"])
    await run(`validate ${format}`, (context) =>
      overridesValidate.run({ ...VALIDATE, file: ["o.yaml"], format }, context),
    );
  for (const report of ["text", "json", "markdown"])
    for (const way of ["check", "diff"])
      await run(`rewrite ${report} ${way}`, (context) =>
        overridesRewrite.run(
          { ...REWRITE, file: "o.yaml", report, [way]: true },
          context,
        ),
      );
  // An invalid file has no plan.
  const { isValid } = checkFile(
    "",
    Buffer.from(text),
    resolveCheckOptions("1.3.6"),
  );
  for (const format of isValid ? ["text", "json", "markdown", "shell"] : [])
    await run(`plan ${format}`, (context) =>
      upgradePlan.run({ ...PLAN, overrides: "o.yaml", format }, context),
    );
  return printed;
}
