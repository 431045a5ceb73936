import path from "node:path";
import { version } from "#built/runtime.js";
import { SEVERITY_RANK } from "../../diagnostics/severity.js";
import type { Diagnostic } from "../../diagnostics/types.js";
import { type OptionValues, flagOf, options } from "../../generate/options.js";
import type { Timings } from "../../generate/timings.js";
import { annotations } from "../../diagnostics/reporters/github.js";
import { visible } from "../../diagnostics/invisible.js";
import {
  visibleJson,
  type Output,
} from "../../diagnostics/reporters/output.js";
import { sarifLog } from "../../diagnostics/reporters/sarif.js";
import { paragraph } from "../../diagnostics/reporters/text.js";
import { formatCount } from "../../diagnostics/format-count.js";
import {
  type Action,
  isChange,
  type GroupPlan,
  type PipelineResult,
} from "../../generate/pipeline.js";
import { shellWord } from "../../platform/shell-quote.js";
import { catalogue } from "../../diagnostics/catalogue.js";

/** Optional contents of a report. */
export interface ReportDetails {
  /** Durations of the stages, to be printed. */
  readonly timings?: Timings;
  /**
   * Command that generates the output. Default: a command with the option
   * values of the run.
   */
  readonly command?: string;
}

/** Prints the findings and the summary of a run. */
export function reportRun(
  result: ReportedResult,
  values: OptionValues,
  output: Output,
  { timings, command }: ReportDetails = {},
): void {
  if (values.format === "json") {
    output.out(`${json(result, values, timings)}\n`);
    return;
  }
  const findings = [
    ...shown(result.diagnostics, values),
    ...(values.format !== "text" && values.check === true
      ? driftOf(result.plans, values, command)
      : []),
  ];
  if (values.format === "sarif") {
    output.out(sarifLog(findings, { name: "gen", version }));
    return;
  }
  if (values.format === "github") output.err(annotations(findings));
  else
    for (const finding of findings)
      output.err(paragraph(finding, output.color));
  if (values.quiet === true) return;
  if (timings !== undefined) output.err(timingLine(timings));
  const isPreview = values.dryRun === true || values.check === true;
  const isVerbose = values.verbose === true;
  output.out(summary(result, { isPreview, isVerbose }));
}

function timingLine({ times }: Timings): string {
  const parts = Object.entries(times).map(
    ([stage, time]) => `${stage} ${time.toFixed(1)} ms`,
  );
  return `stages: ${parts.join(", ")}\n`;
}

function json(
  { plans, diagnostics, total, failed }: ReportedResult,
  values: OptionValues,
  timings: Timings | undefined,
): string {
  const files = plans
    .flatMap(({ out, files: planned }) =>
      planned.map(({ path, action }) => ({
        ...(out === undefined ? {} : { out }),
        path,
        action,
      })),
    )
    .filter(({ action }) => values.verbose === true || action !== "same");
  return visibleJson({
    documents: total,
    failed,
    files,
    diagnostics: shown(diagnostics, values),
    ...(timings === undefined ? {} : { milliseconds: timings.times }),
  });
}

/** Filters diagnostics by severity according to `--quiet` and `--verbose`. */
function shown(
  diagnostics: readonly Diagnostic[],
  { quiet, verbose }: OptionValues,
): Diagnostic[] {
  const limit = quiet === true ? 0 : verbose === true ? 2 : 1;
  return diagnostics.filter(({ severity }) => SEVERITY_RANK[severity] <= limit);
}

/** Contents of the summary of a run. */
export interface SummaryOptions {
  /** True to list every file, not only changed files. */
  readonly isVerbose: boolean;
  /**
   * True if the run only compares files; the summary then lists the files that
   * would change.
   */
  readonly isPreview: boolean;
}

/**
 * Labels of file counts, for runs that write files and for runs that only
 * compare files.
 */
const LABELS: Readonly<
  Record<Action, readonly [written: string, planned: string]>
> = {
  create: ["created", "to create"],
  update: ["updated", "to update"],
  same: ["unchanged", "unchanged"],
  delete: ["deleted", "to delete"],
  foreign: ["not overwritten", "not overwritten"],
  edited: ["kept because edited", "kept because edited"],
};

/** Formats the changed files and the counts of documents and files. */
export function summary(
  { plans, diagnostics, total, failed, jobs = 1 }: ReportedResult,
  { isVerbose, isPreview }: SummaryOptions,
): string {
  const counts = new Map<Action, number>();
  const lines: string[] = [];
  for (const { out = "", files } of plans)
    for (const { path: name, action } of files) {
      counts.set(action, (counts.get(action) ?? 0) + 1);
      if (isVerbose || (isPreview && action !== "same"))
        lines.push(`${action.padEnd(8)}${visible(path.posix.join(out, name))}`);
    }
  const documents = `${total - failed} of ${formatCount(total, "document")}${jobs > 1 ? ` in ${jobs} jobs` : ""}`;
  const infos = diagnostics.filter(({ severity }) => severity === "info");
  const hint =
    infos.length > 0 && !isVerbose
      ? `; ${formatCount(infos.length, "info")} (--verbose)`
      : "";
  const files = fileCounts(counts, isPreview);
  return `${[...lines, `${documents}: ${files}${hint}`].join("\n")}\n`;
}

/** Formats counts such as `76 files created, 2 unchanged`. */
function fileCounts(
  counts: ReadonlyMap<Action, number>,
  isPreview: boolean,
): string {
  if (counts.size === 0) return "no files";
  return [...counts]
    .map(([action, count], index) => {
      const noun = index > 0 ? "" : count === 1 ? " file" : " files";
      return `${count}${noun} ${LABELS[action][isPreview ? 1 : 0]}`;
    })
    .join(", ");
}

/**
 * Maximum number of findings. GitHub shows at most ten annotations per step.
 */
const MAX_FINDINGS = 10;

/** Options that affect only reporting and writing, not the generated code. */
const REPORTING = new Set([
  "check",
  "dryRun",
  "frozen",
  "offline",
  "format",
  "progress",
  "verbose",
  "quiet",
]);

/**
 * Returns a finding for each output folder that is out of date. The fix is the
 * command that regenerates the folder.
 */
export function driftOf(
  plans: ReportedResult["plans"],
  values: OptionValues,
  command: string = commandOf(values),
): Diagnostic[] {
  const drifted = plans.filter(({ files }) => files.some(isChange));
  const isCut = drifted.length > MAX_FINDINGS;
  const shown = isCut ? drifted.slice(0, MAX_FINDINGS - 1) : drifted;
  const rest = drifted.slice(shown.length);
  const findings = shown.map((plan) => findingOf([plan], values, command));
  return isCut ? [...findings, findingOf(rest, values, command)] : findings;
}

function findingOf(
  plans: ReportedResult["plans"],
  values: OptionValues,
  command: string,
): Diagnostic {
  const { severity, cause } = catalogue["output-drift"];
  const changes = plans.flatMap(({ files }) => files.filter(isChange));
  const counts = ["create", "update", "delete"]
    .map((action) => ({
      action,
      count: changes.filter((file) => file.action === action).length,
    }))
    .filter(({ count }) => count > 0)
    .map(
      ({ action, count }, index) =>
        `${count}${index > 0 ? "" : count === 1 ? " file" : " files"} to ${action}`,
    );
  const [{ folder, out = values.out! }] = plans as [
    ReportedResult["plans"][number],
  ];
  const subject =
    plans.length > 1
      ? `${plans.length} more folders`
      : folder || "the manifest";
  return {
    code: "output-drift",
    severity,
    message: `${subject} must be generated again: ${counts.join(", ")}`,
    file: path.posix.join(out.replaceAll("\\", "/"), changes[0]!.path),
    cause,
    fix: `Run: ${command}`,
  };
}

/** Returns a command line that generates the output that `--check` compared. */
export function commandOf(values: Partial<OptionValues>): string {
  const byName = values as unknown as Readonly<Record<string, unknown>>;
  const words = options
    .filter(({ name }) => !REPORTING.has(name))
    .flatMap(({ name, kind, default: standard }) => {
      const value = byName[name];
      const list = Array.isArray(value) && kind === "choices";
      const text = list ? value.join(",") : value;
      if (text === undefined || text === false || text === standard) return [];
      if (text === true) return [flagOf(name)];
      return [text]
        .flat()
        .flatMap((item) => [flagOf(name), shellWord(String(item))]);
    });
  return ["npx discovery-codegen", ...words].join(" ");
}

/** Result of a run, or of all jobs of a config. */
export interface ReportedResult extends PipelineResult {
  readonly plans: readonly (GroupPlan & {
    /** Output folder; present if the run used a config. */
    readonly out?: string;
  })[];
  /** Number of jobs; present if the run used a config. */
  readonly jobs?: number;
}
