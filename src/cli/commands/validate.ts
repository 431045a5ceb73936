import {
  DEFAULT_LIMIT,
  RULE_LEVELS,
  parseLevels,
  validateSources,
} from "../../generate/validate-sources.js";
import type { Diagnostic, Severity } from "../../diagnostics/types.js";
import { loadConfig } from "../../config/load-config.js";
import type { RuleLevels } from "../../validate/rule.js";
import { exitCodeOf } from "../exit-code.js";
import { UsageError, type Command, type Context } from "../command.js";
import { reportValidation } from "../reporters/validation.js";

interface Values {
  readonly spec?: readonly string[];
  readonly config?: string;
  readonly noConfig?: boolean;
  readonly format: "text" | "json" | "github" | "sarif";
  readonly rule?: readonly string[];
  readonly failOn: "error" | "warning";
  readonly limit: string;
}

const EXIT_CODES = `
Exit codes:
  0  no findings at or above the severity given by --fail-on
  2  invalid usage or config, or a file does not exist
  3  at least one finding at or above the severity given by --fail-on
  5  bug in the generator`;

/** Command `gen validate`: checks API descriptions. */
export const validate: Command = {
  operands: {
    name: "spec",
    description:
      "description documents: file, folder, glob, or - for standard input (default: those of the config)",
    isMany: true,
    isOptional: true,
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
      name: "config",
      kind: "text",
      value: "file",
      description:
        "config file with documents and levels (default without documents: gen.config.* in the working directory)",
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
  const limit = limitOf(values.limit);
  const config = await configOf(values, cwd);
  const given = values.spec ?? [];
  const documents = given.length > 0 ? given : config.files;
  const levels = { ...config.levels, ...parsed.levels };
  const settings = { cwd, levels, limit };
  const result =
    config.diagnostics.length > 0
      ? { documents: 0, diagnostics: config.diagnostics }
      : await validateSources(documents, settings);
  reportValidation(result, values.format, output);
  return exitCode(result.diagnostics, values.failOn);
}

/** Documents and rule severities from the config. */
interface ConfigPart {
  readonly files: readonly string[];
  readonly levels: RuleLevels;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Reads the config. Without `--config`, no config is read for documents that
 * are given as arguments, because a config can be a program.
 */
async function configOf(
  { spec = [], config, noConfig }: Values,
  cwd: string,
): Promise<ConfigPart> {
  if (spec.length > 0 && config === undefined)
    return { files: [], levels: {}, diagnostics: [] };
  if (noConfig === true)
    throw new UsageError("--no-config requires documents; see --help");
  const { resolved, diagnostics } = await loadConfig({ cwd, config });
  const apis = resolved?.jobs.flatMap((job) => job.apis) ?? [];
  return {
    files: [...new Set(apis.map(({ file }) => file))],
    levels: resolved?.levels ?? {},
    diagnostics,
  };
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
