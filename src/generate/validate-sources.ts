import { formatCount } from "../diagnostics/format-count.js";
import { locate } from "../diagnostics/locate.js";
import type { Sink } from "../diagnostics/sink.js";
import type { Diagnostic } from "../diagnostics/types.js";
import { loadSource, type Loaded } from "../load/load.js";
import type { RawDocument } from "../load/raw.js";
import { listSources } from "../load/sources.js";
import { buildApi } from "../model/build/api.js";
import type { Api } from "../model/ir.js";
import { findRouteConflicts } from "../model/route-conflicts.js";
import { nameApi } from "../targets/shared/naming.js";
import { judgePattern } from "../targets/validator/patterns.js";
import { applyLevels } from "../validate/levels.js";
import type { RuleLevels } from "../validate/rule.js";
import { validateDocument } from "../validate/validate-document.js";
import { reportFailure } from "./failures.js";

export { parseLevels } from "../validate/levels.js";
export { RULE_LEVELS } from "../validate/rule.js";

/** Default maximum number of findings with the same code in one document. */
export const DEFAULT_LIMIT = 20;

/** Settings of `validateSources`, which checks documents. */
export interface ValidationSettings {
  /**
   * Folder against which relative paths are resolved. Default: the working
   * directory.
   */
  readonly cwd?: string | undefined;
  /** Severities, keyed by rule id or diagnostic code. */
  readonly levels?: RuleLevels | undefined;
  /** Maximum number of findings with the same code in one document. */
  readonly limit?: number | undefined;
}

/** Findings about documents, and the number of documents. */
export interface ValidationResult {
  /** Number of checked documents. */
  readonly documents: number;
  /**
   * Findings, in the order of the documents and, within each document, by
   * position.
   */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Checks documents with the diagnostics of the generator and with the rules of
 * `src/validate/`. Writes no files and never throws.
 */
export async function validateSources(
  specs: readonly string[],
  settings: ValidationSettings = {},
): Promise<ValidationResult> {
  const { sources, diagnostics } = await listSources(specs, settings.cwd);
  const findings = sources.flatMap((source) =>
    validateLoaded(loadSource(source), settings),
  );
  return {
    documents: sources.length,
    diagnostics: [...diagnostics, ...findings],
  };
}

function validateLoaded(
  { sink, text, document }: Loaded,
  { levels = {}, limit = DEFAULT_LIMIT }: ValidationSettings,
): Diagnostic[] {
  try {
    if (document !== undefined) validate(document, levels, sink);
  } catch (error) {
    reportFailure(error, sink);
  }
  const findings = limited(applyLevels(sink.diagnostics, levels), limit);
  return text === undefined
    ? findings
    : locate(findings, text).sort(byPosition);
}

function validate(document: RawDocument, levels: RuleLevels, sink: Sink): void {
  const api = buildApi(document, sink, { trustProse: false });
  findRouteConflicts(api, sink);
  nameApi(api, sink);
  checkPatterns(api, sink);
  validateDocument(document, { api, levels }, sink);
}

/** Reports patterns that generated validators do not enforce. */
function checkPatterns({ definitions }: Api, sink: Sink): void {
  for (const { body, pointer } of definitions) {
    if (body.kind !== "object") continue;
    for (const { name, constraints } of body.fields) {
      const { pattern } = constraints;
      if (pattern !== undefined && judgePattern(pattern) === "unsafe")
        sink.report(
          "pattern-unenforced",
          `validators can't check the pattern ${JSON.stringify(pattern)} in bounded time`,
          `${pointer}/properties/${name}/pattern`,
        );
    }
  }
}

/**
 * Limits the number of findings with the same code. Replaces the omitted
 * findings with one finding that states their number.
 */
function limited(findings: readonly Diagnostic[], limit: number): Diagnostic[] {
  const counts = new Map<string, number>();
  const kept = findings.filter(({ code }) => {
    const count = (counts.get(code) ?? 0) + 1;
    counts.set(code, count);
    return count <= limit;
  });
  const omitted = [...counts].filter(([, count]) => count > limit);
  return [
    ...kept,
    ...omitted.map(([code, count]): Diagnostic => {
      const { pointer: _, ...example } = kept.find((one) => one.code === code)!;
      const message = `${formatCount(count - limit, `more finding of ${code} is`, `more findings of ${code} are`)} not shown`;
      return { ...example, message };
    }),
  ];
}

/** Compares findings by position; findings without a position come last. */
function byPosition(a: Diagnostic, b: Diagnostic): number {
  const [lineA, lineB] = [a.line ?? Infinity, b.line ?? Infinity];
  if (lineA !== lineB) return lineA < lineB ? -1 : 1;
  return (a.column ?? 0) - (b.column ?? 0);
}
