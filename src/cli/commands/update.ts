import { writeFileSync } from "node:fs";
import path from "node:path";
import { KEPT_REASONS, type UpdateSection } from "../../config/gen-config.js";
import { visibleJson } from "../../diagnostics/reporters/output.js";
import type { Diagnostic } from "../../diagnostics/types.js";
import { configOption, remoteOptions } from "../../generate/options.js";
import {
  requireConfig,
  UsageError,
  type Command,
  type Context,
} from "../command.js";
import { USES_OPTION } from "../diff-project.js";
import { exitCodeOf } from "../exit-code.js";
import { progressOf } from "../progress.js";
import { remoteOptionsOf, type RemoteValues } from "../remote-options.js";
import {
  formatOption,
  reportFindings,
  type Format,
} from "../reporters/findings.js";
import {
  API_STATUSES,
  plainUpdate,
  totalsOf,
  type ReportedUpdate,
} from "../update/api-update.js";
import { markdownSummary } from "../update/markdown-summary.js";
import { textSummary } from "../update/text-summary.js";
import { updateProject } from "../update/update-project.js";

interface Values extends RemoteValues {
  readonly names?: readonly string[];
  readonly config?: string;
  readonly noConfig?: boolean;
  readonly check?: boolean;
  readonly summary?: string;
  readonly json?: string;
  readonly uses?: readonly string[];
  readonly failOn?: readonly string[];
  readonly maxBytes: string;
  readonly format: Format;
}

const HELP = `
Fetches the latest documents, removes patch operations that they contain, generates the
APIs and reports the changes. An API is kept, with its previous document and output, if
its document is gone, older, unreachable, invalid or shrunk, if a patch does not apply
(patch-stale), or if its output can't be generated (generation-failed). Kept APIs do not
stop the others; the section update of the config contains a policy about them.

Exit codes:
  0  the APIs are updated, unchanged or kept
  1  --check: an API would be updated
  2  invalid usage or config, or a file that can't be written
  3  a status of --fail-on, or a reason that fails by the config`;

/** Command `gen update`: updates documents and output of all APIs. */
export const update: Command = {
  operands: {
    name: "names",
    description: "names of APIs to update, as in the config (default: all)",
    isMany: true,
    isOptional: true,
  },
  options: [
    ...remoteOptions,
    configOption,
    {
      name: "check",
      kind: "switch",
      description: "write nothing; exit with 1 if an API would be updated",
    },
    {
      name: "summary",
      kind: "text",
      value: "file",
      description:
        "file for a summary in Markdown, such as the text of a pull request; - prints it",
    },
    {
      name: "json",
      kind: "text",
      value: "file",
      description: "file for a report in JSON; - prints it",
    },
    USES_OPTION,
    {
      name: "failOn",
      kind: "choices",
      value: "statuses",
      choices: [...API_STATUSES, ...KEPT_REASONS, "used"],
      description:
        "statuses and reasons that result in exit code 3, separated by commas, and used for breaking changes that affect the code of --uses (default: the reasons with fail in the config)",
    },
    {
      name: "maxBytes",
      kind: "text",
      value: "bytes",
      default: "60000",
      description:
        "maximum size of the summary in bytes; changes that do not fit are counted",
    },
    formatOption,
  ],
  variables: "UPDATE_",
  help: HELP,
  run: (values, context) => run(values as unknown as Values, context),
};

async function run(
  { names = [], check, summary, json, ...values }: Values,
  { cwd, output }: Context,
): Promise<number> {
  const { config, noConfig, format, failOn, maxBytes, uses, ...remote } =
    values;
  requireConfig(noConfig, "gen update");
  const limit = bytesOf(maxBytes);
  if (summary === "-" && json === "-")
    throw new UsageError("--summary - can't be combined with --json -");
  const isCheck = check === true;
  const { apis, diagnostics, resolved } = await updateProject({
    ...remoteOptionsOf(remote),
    cwd,
    config,
    apis: names,
    isCheck,
    uses,
    onProgress: progressOf({ format, progress: "auto" }, output)?.onDocument,
  });
  const policy = resolved?.update ?? {};
  reportFindings(
    [...diagnostics, ...keptFindings(apis, policy)],
    format,
    output,
  );
  if (resolved === undefined) return exitCodeOf(diagnostics) ?? 2;
  const report = (): string =>
    `${visibleJson({ apis: apis.map(plainUpdate), summary: totalsOf(apis) })}\n`;
  const print = (file: string | undefined, text: () => string): void => {
    if (file === "-") output.out(text());
    else if (file !== undefined) writeReport(path.resolve(cwd, file), text());
  };
  print(summary, () => markdownSummary(apis, { maxBytes: limit, isCheck }));
  print(json, report);
  if (summary !== "-" && json !== "-")
    output.out(format === "json" ? report() : textSummary(apis, isCheck));
  const failure = exitCodeOf(diagnostics);
  if (failure !== undefined) return failure;
  if (apis.some((api) => fails(api, policy, failOn))) return 3;
  return isCheck && apis.some(({ status }) => status === "updated") ? 1 : 0;
}

function writeReport(file: string, text: string): void {
  try {
    writeFileSync(file, text);
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

/** Minimum of --max-bytes: the size of the title and of the count of changes. */
const MIN_BYTES = 1_000;

function bytesOf(text: string): number {
  const bytes = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (bytes >= MIN_BYTES) return bytes;
  throw new UsageError(
    `--max-bytes must be an integer from ${MIN_BYTES} to 999999999, not ${JSON.stringify(text)}`,
  );
}

function fails(
  { status, reason, used }: ReportedUpdate,
  policy: UpdateSection,
  failOn: readonly string[] | undefined,
): boolean {
  if (failOn !== undefined)
    return (
      failOn.includes(status) ||
      (failOn.includes("used") && (used ?? 0) > 0) ||
      (reason !== null && failOn.includes(reason))
    );
  return reason !== null && policy[reason] === "fail";
}

/** Returns the findings about kept APIs that the config does not only keep. */
function keptFindings(
  apis: readonly ReportedUpdate[],
  policy: UpdateSection,
): readonly Diagnostic[] {
  return apis.flatMap(({ reason, findings }) => {
    const level = reason === null ? "keep" : (policy[reason] ?? "keep");
    if (level === "keep") return [];
    const severity = level === "fail" ? "error" : "warning";
    return findings.map((finding): Diagnostic => ({ ...finding, severity }));
  });
}
