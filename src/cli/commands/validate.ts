import {
  DEFAULT_LIMIT,
  RULE_LEVELS,
  parseLevels,
  validateSources,
} from "../../generate/validate-sources.js";
import type { Diagnostic, Severity } from "../../diagnostics/types.js";
import { exitCodeOf } from "../exit-code.js";
import { UsageError, type Command, type Context } from "../command.js";
import { reportValidation } from "../reporters/validation.js";

interface Values {
  readonly spec: readonly string[];
  readonly format: "text" | "json" | "github" | "sarif";
  readonly rule?: readonly string[];
  readonly failOn: "error" | "warning";
  readonly limit: string;
}

const EXIT_CODES = `
Exit codes:
  0  no finding has the severity of --fail-on
  2  invalid usage, or a file does not exist
  3  findings with the severity of --fail-on or above
  5  bug in the generator`;

/** Checks descriptions for their authors. */
export const validate: Command = {
  operands: {
    name: "spec",
    description:
      "description documents: file, folder, glob, or - for standard input",
    isMany: true,
  },
  options: [
    {
      name: "format",
      kind: "choice",
      value: "name",
      choices: ["text", "json", "github", "sarif"],
      default: "text",
      description: "format of the findings",
    },
    {
      name: "rule",
      kind: "list",
      value: "name=level",
      isSingle: true,
      description: `set the level of a rule or diagnostic: ${RULE_LEVELS.join(", ")}; repeatable`,
    },
    {
      name: "failOn",
      kind: "choice",
      value: "severity",
      choices: ["error", "warning"],
      default: "error",
      description: "lowest severity of findings that results in exit code 3",
    },
    {
      name: "limit",
      kind: "text",
      value: "count",
      default: String(DEFAULT_LIMIT),
      description: "maximum number of findings of one rule for each document",
    },
  ],
  variables: "VALIDATE_",
  help: EXIT_CODES,
  run: (values, context) => run(values as unknown as Values, context),
};

async function run(values: Values, { cwd, output }: Context): Promise<number> {
  const parsed = parseLevels(values.rule ?? []);
  if ("problem" in parsed) throw new UsageError(`--rule: ${parsed.problem}`);
  const { levels } = parsed;
  const limit = limitOf(values.limit);
  const result = await validateSources(values.spec, { cwd, levels, limit });
  reportValidation(result, values.format, output);
  return exitCode(result.diagnostics, values.failOn);
}

function limitOf(text: string): number {
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
  throw new UsageError(
    `--limit must be an integer from 1 to 999999, found '${text}'`,
  );
}

function exitCode(findings: readonly Diagnostic[], failOn: Severity): number {
  const isFailure = ({ severity }: Diagnostic): boolean =>
    severity === "error" || severity === failOn;
  return exitCodeOf(findings) ?? (findings.some(isFailure) ? 3 : 0);
}
