import { severityLabel } from "../../diagnostics/reporters/text.js";
import { visibleJson } from "../../diagnostics/reporters/output.js";
import { visible } from "../../diagnostics/invisible.js";
import { loadConfig } from "../../config/load-config.js";
import { runChecks, type NamedResult } from "../../config/doctor/checks.js";
import { MissingPackageError } from "../../platform/optional-package.js";
import type { Command, Context } from "../command.js";

interface Values {
  readonly config?: string;
  readonly noConfig?: boolean;
  readonly format: "text" | "json";
}

const HELP = `
Does not change files or access the network, and does not run the formatter. A config in JavaScript or
TypeScript is run, except with --no-config. Values of proxy variables are not printed.

Exit codes:
  0  no errors; there can be warnings
  2  an error prevents generation`;

/** Command `gen doctor`: checks a project. */
export const doctor: Command = {
  options: [
    {
      name: "config",
      kind: "text",
      value: "file",
      description:
        "config file (default: gen.config.* in the working directory)",
    },
    {
      name: "format",
      kind: "choice",
      value: "name",
      choices: ["text", "json"],
      default: "text",
      description: "format of the check results",
    },
  ],
  variables: "DOCTOR_",
  help: HELP,
  run: (values, context) => run(values as unknown as Values, context),
};

async function run(
  { config, noConfig, format }: Values,
  { cwd, output }: Context,
): Promise<number> {
  const loaded = noConfig === true ? undefined : await loadSafely(config, cwd);
  const results = await runChecks({ cwd, env: process.env, config: loaded });
  const hasErrors = results.some(({ status }) => status === "error");
  if (format === "json")
    output.out(`${visibleJson({ ok: !hasErrors, checks: results })}\n`);
  else for (const result of results) output.out(lineOf(result, output.color));
  return hasErrors ? 2 : 0;
}

/**
 * Loads the config. If a package is missing, returns a diagnostic instead of
 * throwing an error.
 */
async function loadSafely(
  config: string | undefined,
  cwd: string,
): ReturnType<typeof loadConfig> {
  try {
    return await loadConfig({ cwd, config });
  } catch (error) {
    if (!(error instanceof MissingPackageError)) throw error;
    const { message } = error;
    const code = "package-missing";
    const fix = "Install the package, or use a config in YAML or JSON.";
    return { diagnostics: [{ code, severity: "error", message, fix }] };
  }
}

function lineOf(
  { check, status, message, fix }: NamedResult,
  color: boolean,
): string {
  const padding = " ".repeat("warning".length - status.length);
  const label = status === "ok" ? status : severityLabel(status, color);
  const advice = fix === undefined ? "" : `\n        fix: ${visible(fix)}`;
  return `${label}${padding} ${check}: ${visible(message)}${advice}\n`;
}
