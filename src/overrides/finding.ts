import type { Diagnostic, Severity } from "../diagnostics/types.js";
import { ruleCatalogue } from "./rules/catalogue.js";

/** Finding about an overrides file. Its location is an offset in the text. */
export interface Finding {
  /** Code of the rule, such as `T03`. */
  readonly code: string;
  readonly severity: Severity;
  readonly offset: number;
  /**
   * Length of the affected text in characters. The text does not contain a line
   * break.
   */
  readonly length: number;
  /**
   * Path of the property, such as `virtualhosts[0].name`; empty for a finding
   * about the entire file.
   */
  readonly path: string;
  readonly message: string;
  readonly suggestion?: string;
  /**
   * True if the severity depends on the option `--mode` and the user did not
   * pass this option.
   */
  readonly dependsOnMode?: true;
}

/** Finding in a report. Its location is a line and a column. */
export interface OverridesDiagnostic extends Diagnostic {
  readonly line: number;
  readonly column: number;
  readonly path: string;
  readonly message: string;
  /** Suggested fix; empty if there is none. */
  readonly suggestion: string;
}

/** Maximum number of reported findings. Handwritten files have fewer. */
const MAX_SHOWN_FINDINGS = 1_000;

/**
 * Limits the number of findings. If there are too many, adds a finding with the
 * number of omitted findings. Errors are omitted last.
 */
export function limitFindings(
  findings: readonly Finding[],
  more: number,
): readonly Finding[] {
  if (findings.length <= MAX_SHOWN_FINDINGS) return findings;
  const errors = findings.filter(({ severity }) => severity === "error");
  const others = findings.filter(({ severity }) => severity !== "error");
  const chosen = new Set([...errors, ...others].slice(0, MAX_SHOWN_FINDINGS));
  const omitted = findings.length - MAX_SHOWN_FINDINGS + more;
  return [
    ...findings.filter((finding) => chosen.has(finding)),
    {
      code: "S12",
      severity: "info",
      offset: findings.at(-1)!.offset,
      length: 1,
      path: "",
      message: `at least ${omitted.toLocaleString("en")} more ${omitted === 1 ? "finding is" : "findings are"} not shown`,
      suggestion: ruleCatalogue["S12"]!.fix,
    },
  ];
}

/**
 * Sorts findings by offset and removes duplicates. Several aliases of one value
 * produce duplicates.
 */
export function sortUnique(findings: readonly Finding[]): Finding[] {
  const seen = new Set<string>();
  return [...findings]
    .sort((a, b) => a.offset - b.offset)
    .filter(({ code, offset, message }) => {
      const key = `${offset} ${code} ${message}`;
      return seen.has(key) ? false : seen.add(key);
    });
}
