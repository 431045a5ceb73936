import path from "node:path";
import { shellWord } from "../../platform/shell-quote.js";
import { catalogue } from "../../diagnostics/catalogue.js";
import type { Diagnostic } from "../../diagnostics/types.js";
import { isChange } from "../../generate/pipeline.js";
import type { ReportedResult } from "./reported-result.js";
import { flagOf, options, type OptionValues } from "../../generate/options.js";

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
