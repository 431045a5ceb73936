import path from "node:path";
import { existsSync } from "node:fs";
import { formatCount } from "../../diagnostics/format-count.js";
import {
  readFileLimited,
  readStandardInput,
} from "../../platform/read-limited.js";
import { backUp, replaceFile } from "../../platform/replace-file.js";
import { maskedDiff } from "../../overrides/report/masked-diff.js";
import {
  rewriteReport,
  type RewriteFormat,
} from "../../overrides/report/rewrite.js";
import {
  rewriteFile,
  type RewriteResult,
} from "../../overrides/rewrite/index.js";
import type { RewriteOptions } from "../../overrides/rewrite/rewrite-session.js";
import { resolveTargetFile } from "../../overrides/target-file.js";
import { UsageError, type Command, type Context } from "../command.js";
import type { OptionRow } from "../../generate/options.js";

interface Values {
  readonly file: string;
  readonly out?: string;
  readonly inPlace?: boolean;
  readonly instanceId?: string;
  readonly region?: string;
  readonly watcherAccount?: string;
  readonly metricsAccount?: string;
  readonly envgroup?: readonly string[];
  readonly report: RewriteFormat;
  readonly check?: boolean;
  readonly diff?: boolean;
}

const EXIT_CODES = `
Without --out and --in-place, the new file is written to standard output, and the
report to standard error.

Exit codes:
  0  the file was rewritten, or needs no changes
  1  --check found changes to make
  2  invalid usage, or the file was rejected for the printed reason
  3  the file can't be read`;

/** Options of `overrides rewrite`. */
const rewriteOptions: readonly OptionRow[] = [
  {
    name: "out",
    kind: "text",
    value: "file",
    description: "file to write; an existing file is kept with the suffix .bak",
  },
  {
    name: "inPlace",
    kind: "switch",
    description:
      "replace the overrides file; the old file is kept with the suffix .bak",
  },
  {
    name: "instanceId",
    kind: "text",
    value: "id",
    description:
      "value to set in instanceID if the overrides file does not set it (default: derived from cluster name and region)",
  },
  {
    name: "region",
    kind: "text",
    value: "region",
    description:
      "region to set in gcp.region and k8sCluster.region if the overrides file does not set them",
  },
  {
    name: "watcherAccount",
    kind: "text",
    value: "path",
    description:
      "service account file for the Watcher component (default: derived from the name of the MART component's service account file if it ends with -apigee-mart.json)",
  },
  {
    name: "metricsAccount",
    kind: "text",
    value: "path",
    description:
      "service account file for the metrics component if the overrides file does not specify one",
  },
  {
    name: "envgroup",
    kind: "list",
    isSingle: true,
    value: "old=new",
    description: "new name of an environment group in virtualhosts, as OLD=NEW",
  },
  {
    name: "report",
    kind: "choice",
    value: "form",
    choices: ["text", "json", "markdown"],
    default: "text",
    description: "format of the rewrite report",
  },
  {
    name: "check",
    kind: "switch",
    description: "write nothing; exit with 1 if changes are needed",
  },
  {
    name: "diff",
    kind: "switch",
    excludes: "check",
    description: "write nothing; print the changes as a diff",
  },
];

/**
 * Command `overrides rewrite`: converts an overrides file from version 1.2 to
 * 1.3.
 */
export const overridesRewrite: Command = {
  operands: {
    name: "file",
    description:
      "overrides file for version 1.2 of the Apigee hybrid runtime; - for standard input",
  },
  options: rewriteOptions,
  variables: "OVERRIDES_",
  help: EXIT_CODES,
  run: async (values, context) => run(values as unknown as Values, context),
};

function run(values: Values, context: Context): number {
  const { file, out, inPlace } = values;
  if (out !== undefined && inPlace === true)
    throw new UsageError("--out and --in-place can't be used together");
  if (file === "-" && inPlace === true)
    throw new UsageError("--in-place requires a file, not standard input");
  const target = targetFor(values, context);
  const bytes = read(file, context);
  if (bytes === undefined) return 3;
  const result = rewriteFile(file, bytes, optionsOf(values));
  if (result.isRefused) return refuse(result, values, context);
  const isChanged = result.after !== result.before;
  if (values.check === true) {
    context.output.out(rewriteReport(result.report, values.report));
    return isChanged ? 1 : 0;
  }
  if (values.diff === true) printDifference(file, result, context);
  else write(result, values, target, context);
  return 0;
}

function read(file: string, { cwd, output }: Context): Buffer | undefined {
  try {
    return file === "-"
      ? readStandardInput()
      : readFileLimited(path.resolve(cwd, file));
  } catch (error) {
    output.err(`${file}: ${(error as Error).message}\n`);
    return undefined;
  }
}

function optionsOf(values: Values): RewriteOptions {
  const { instanceId, region, watcherAccount, metricsAccount } = values;
  return {
    ...(instanceId === undefined ? {} : { instanceId }),
    ...(region === undefined ? {} : { region }),
    ...(watcherAccount === undefined ? {} : { watcherAccount }),
    ...(metricsAccount === undefined ? {} : { metricsAccount }),
    envgroups: new Map((values.envgroup ?? []).map(pairOf)),
  };
}

function pairOf(text: string): [string, string] {
  const [old, now, ...more] = text.split("=");
  const isPair = old && now && more.length === 0;
  if (!isPair)
    throw new UsageError(
      `--envgroup must have the form OLD=NEW, found ${text}`,
    );
  return [old, now];
}

function refuse(
  result: RewriteResult,
  values: Values,
  context: Context,
): number {
  const text = rewriteReport(result.report, values.report);
  if (values.report === "text") context.output.err(text);
  else context.output.out(text);
  return result.isReadable ? 2 : 3;
}

/** Returns the file to write; undefined for standard output. */
function targetFor(
  { file, out, inPlace, check, diff }: Values,
  { cwd, output }: Context,
): string | undefined {
  const requested = out ?? (inPlace === true ? file : undefined);
  if (requested === undefined || check === true || diff === true)
    return undefined;
  // A missing input file is reported when the file is read.
  if (out === undefined && !existsSync(path.resolve(cwd, file)))
    return undefined;
  try {
    const target = resolveTargetFile(requested, cwd);
    if (target.isLinked)
      output.err(
        `${requested} is a symbolic link; writing to ${target.file}\n`,
      );
    return target.file;
  } catch (error) {
    throw failed(error);
  }
}

/**
 * Prints the diff with secrets masked. A masked diff can't be
 * applied as a patch.
 */
function printDifference(
  file: string,
  result: RewriteResult,
  { output }: Context,
): void {
  const { text, maskedLineCount } = maskedDiff(path.basename(file), result);
  output.out(text);
  if (maskedLineCount > 0)
    output.err(
      `the diff can't be applied as a patch, because secrets are masked in ${formatCount(maskedLineCount, "line")}; use --out or --in-place\n`,
    );
}

function write(
  result: RewriteResult,
  values: Values,
  target: string | undefined,
  context: Context,
): void {
  const { inPlace } = values;
  const text = rewriteReport(result.report, values.report);
  if (target === undefined) {
    context.output.out(result.bytes.toString("utf8"));
    context.output.err(text);
    return;
  }
  const isSame = inPlace === true && result.after === result.before;
  if (!isSame) put(target, result.bytes, context);
  context.output.out(text);
}

function put(target: string, bytes: Buffer, { output }: Context): void {
  try {
    const backup = backUp(target);
    output.err(`the old file is saved as ${backup}\n`);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw failed(error);
  }
  try {
    replaceFile(target, bytes);
  } catch (error) {
    throw failed(error);
  }
}

function failed(error: unknown): UsageError {
  return new UsageError(
    `the file can't be written: ${(error as Error).message}`,
  );
}
