import { existsSync } from "node:fs";
import path from "node:path";
import { version } from "#built/runtime.js";
import {
  readFileLimited,
  readStandardInput,
} from "../../platform/read-limited.js";
import {
  githubReport,
  jsonReport,
  sarifReport,
} from "../../overrides/report/formats.js";
import { textReport } from "../../overrides/report/text.js";
import {
  checkFile,
  resolveCheckOptions,
  unreadableResult,
  type CheckResult,
} from "../../overrides/validate.js";
import type { Command, Context } from "../command.js";

interface Values {
  readonly file: readonly string[];
  readonly target: string;
  readonly mode?: "prod" | "demo";
  readonly phase?: "install" | "final";
  readonly strict?: boolean;
  readonly checkPaths?: boolean;
  readonly format: "text" | "json" | "sarif" | "github";
}

const EXIT_CODES = `
Exit codes:
  0  the files are valid
  1  with --strict: the files are valid, but have warnings
  2  a file or the usage is invalid
  3  a file can't be read`;

/** Command `overrides validate`: validates overrides files. */
export const overridesValidate: Command = {
  operands: {
    name: "file",
    description: "overrides files; - for standard input",
    isMany: true,
  },
  options: [
    {
      name: "target",
      kind: "choice",
      value: "version",
      choices: ["1.3.6", "1.2"],
      default: "1.3.6",
      description:
        "version of the Apigee hybrid runtime for which the file is written",
    },
    {
      name: "mode",
      kind: "choice",
      value: "mode",
      choices: ["prod", "demo"],
      description:
        "prod: violations of production rules are errors; demo: production rules are not checked; without this option, violations are warnings",
    },
    {
      name: "phase",
      kind: "choice",
      value: "phase",
      choices: ["install", "final"],
      description:
        "phase of an upgrade; install: the Cassandra seed host must be set; final: the seed host must have been removed",
    },
    {
      name: "strict",
      kind: "switch",
      description:
        "report placeholders as errors, and exit with 1 if there are warnings",
    },
    {
      name: "checkPaths",
      kind: "switch",
      description:
        "check that the files named in the settings exist; their paths are relative to the working directory",
    },
    {
      name: "format",
      kind: "choice",
      value: "form",
      choices: ["text", "json", "sarif", "github"],
      default: "text",
      description: "format of the report",
    },
  ],
  variables: "OVERRIDES_",
  help: EXIT_CODES,
  run: async (values, context) => run(values as unknown as Values, context),
};

function run(values: Values, context: Context): number {
  const results = values.file.map((file) => check(file, values, context));
  const { output } = context;
  switch (values.format) {
    case "json":
      output.out(jsonReport(results));
      break;
    case "sarif":
      output.out(sarifReport(results, version));
      break;
    case "github":
      output.out(githubReport(results));
      break;
    case "text":
      for (const result of results)
        output.out(textReport(result, output.color));
  }
  return Math.max(
    ...results.map((result) => exitCode(result, values.strict === true)),
  );
}

function check(file: string, values: Values, { cwd }: Context): CheckResult {
  const options = resolveCheckOptions(values.target, {
    ...(values.mode === undefined ? {} : { mode: values.mode }),
    ...(values.phase === undefined ? {} : { phase: values.phase }),
    ...(values.checkPaths === true
      ? { fileExists: (name) => existsSync(path.resolve(cwd, name)) }
      : {}),
    isStrict: values.strict === true,
  });
  let bytes: Buffer;
  try {
    bytes =
      file === "-"
        ? readStandardInput()
        : readFileLimited(path.resolve(cwd, file));
  } catch (error) {
    return unreadableResult(file, reasonOf(error));
  }
  return checkFile(file, bytes, options);
}

/**
 * Returns the message of a system error without the path, such as `ENOENT: no
 * such file or directory`.
 */
function reasonOf(error: unknown): string {
  const { message, syscall } = error as NodeJS.ErrnoException;
  const end = syscall === undefined ? -1 : message.indexOf(`, ${syscall}`);
  return end < 0 ? message : message.slice(0, end);
}

function exitCode(
  { isReadable, isValid, findings }: CheckResult,
  isStrict: boolean,
): number {
  if (!isReadable) return 3;
  if (!isValid) return 2;
  // If `--mode` is not given, violations of production rules are warnings and
  // do not change the exit code.
  const isDoubtful = findings.some(
    ({ severity, dependsOnMode }) =>
      severity === "warning" && dependsOnMode !== true,
  );
  return isStrict && isDoubtful ? 1 : 0;
}
