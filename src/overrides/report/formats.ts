import { annotations } from "../../diagnostics/reporters/github.js";
import { visibleJson } from "../../diagnostics/reporters/output.js";
import { sarifLog } from "../../diagnostics/reporters/sarif.js";
import type { Diagnostic } from "../../diagnostics/types.js";
import { ruleCatalogue } from "../rules/catalogue.js";
import type { CheckResult } from "../validate.js";

/** Formats findings as a JSON array with one object per file. */
export function jsonReport(checked: readonly CheckResult[]): string {
  const files = checked.map(({ file, detected, diagnostics, isValid }) => ({
    file,
    detectedVersion: detected.version,
    diagnostics,
    valid: isValid,
  }));
  return `${visibleJson(files)}\n`;
}

/** Formats findings as workflow commands of GitHub Actions. */
export function githubReport(checked: readonly CheckResult[]): string {
  return annotations(checked.flatMap(findingsOf));
}

/** Formats findings as SARIF 2.1.0 for code scanning tools. */
export function sarifReport(
  checked: readonly CheckResult[],
  version: string,
): string {
  const rules = Object.entries(ruleCatalogue).map(
    ([id, { severity, title, what, why, fix }]) => {
      const help = `${why} Fix: ${fix}.`;
      return { id, severity, title, description: what, help };
    },
  );
  const findings = checked.flatMap(findingsOf);
  return sarifLog(findings, { name: "gen overrides", version, rules });
}

/** Converts findings to the diagnostics that the formatters require. */
function findingsOf({ file, diagnostics }: CheckResult): Diagnostic[] {
  return diagnostics.map(
    ({ code, severity, line, column, message, path, suggestion }) => ({
      code,
      severity,
      line,
      column,
      message,
      file,
      ...(path === "" ? {} : { pointer: path }),
      ...(suggestion === "" ? {} : { fix: suggestion }),
    }),
  );
}
