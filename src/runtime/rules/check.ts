import { FileCheck, type FileOptions, type FileSource } from "./context.js";
import type { Finding } from "./context.js";
import type { PlaceholderRule } from "./definition.js";
import { findPlaceholders } from "./placeholders.js";
import type { Properties } from "./properties.js";
import { checkRule } from "./relations.js";
import { toTree, NOWHERE, type MapNode, type Range } from "./tree.js";
import { checkProperties, reportMissing } from "./walk.js";

/** Result of a check. Warnings do not make a file invalid. */
export type FileResult<T = unknown> =
  | {
      readonly valid: true;
      readonly value: T;
      /** Warnings and infos. */
      readonly findings: readonly Finding[];
    }
  | {
      readonly valid: false;
      /** Findings with the severity error. */
      readonly errors: readonly Finding[];
      /** All findings. */
      readonly findings: readonly Finding[];
    };

/** Result of the check of a tree. */
export interface TreeResult {
  readonly findings: readonly Finding[];
  /**
   * Number of findings that were dropped because of the limit, and whether
   * errors were among them.
   */
  readonly overflow: { readonly count: number; readonly hasErrors: boolean };
}

/** Checks a tree with source text. Returns findings in the order of rules. */
export function checkTree(
  properties: Properties,
  root: MapNode,
  options: FileOptions,
  source: FileSource | undefined,
): TreeResult {
  const file = new FileCheck(properties, options, source);
  checkProperties(file, root);
  file.dropRedundantEmptyFindings();
  if (!file.isLimitReached) reportMissing(file);
  for (const rule of file.rules.rules)
    if (!file.isLimitReached) checkRule(file, rule);
  if (!file.isLimitReached) reportPlaceholders(file);
  return { findings: file.finalFindings(), overflow: file.overflow };
}

/**
 * Checks a value, such as the result of a YAML or JSON parser. Never throws for
 * a value; throws for an unknown target, mode or phase.
 */
export function checkFileValue<T>(
  properties: Properties,
  value: unknown,
  options: FileOptions,
): FileResult<T> {
  checkOptions(properties, options);
  const { findings, hasMoreErrors } = findingsOf(properties, value, options);
  const errors = findings.filter(({ severity }) => severity === "error");
  return errors.length === 0 && !hasMoreErrors
    ? { valid: true, value: value as T, findings }
    : { valid: false, errors, findings };
}

function checkOptions(
  { rules }: Properties,
  { mode, phase }: FileOptions,
): void {
  if (mode !== undefined && !rules.modes.includes(mode))
    throw new Error(`mode must be one of ${rules.modes.join(", ")}`);
  if (phase !== undefined && !rules.phases.includes(phase))
    throw new Error(`phase must be one of ${rules.phases.join(", ")}`);
}

function findingsOf(
  properties: Properties,
  value: unknown,
  options: FileOptions,
): { readonly findings: readonly Finding[]; readonly hasMoreErrors: boolean } {
  const file = new FileCheck(properties, options, undefined);
  const fail = (message: string) => {
    file.report(file.codeOf("type"), NOWHERE, "", message);
    return { findings: file.findings, hasMoreErrors: false };
  };
  try {
    const root = toTree(value);
    if (root.kind !== "map") return fail("the file must be an object");
    const { findings, overflow } = checkTree(
      properties,
      root,
      options,
      undefined,
    );
    return { findings, hasMoreErrors: overflow.hasErrors };
  } catch (error) {
    return fail(
      error instanceof RangeError
        ? "the value is cyclic, too large, or nested too deeply"
        : "the value can't be read",
    );
  }
}

/** Reports each placeholder in the file once. */
function reportPlaceholders(file: FileCheck): void {
  const code = file.codeOf("placeholder");
  const placeholders = new Map<string, Placeholder>();
  for (const { node, path, property } of file.found.values()) {
    if (node.kind !== "scalar" || typeof node.value !== "string") continue;
    const { row } = property;
    for (const { name, index } of findPlaceholders(
      node.text,
      row.secret === true,
    )) {
      const first = placeholders.get(name);
      if (first !== undefined) first.more++;
      else
        placeholders.set(name, {
          path,
          range: file.source?.find(node.range, name, index) ?? node.range,
          isSecret: file.properties.isSensitive(property),
          rule: row.placeholder,
          more: 0,
        });
    }
  }
  for (const [name, placeholder] of placeholders)
    reportPlaceholder(file, code, name, placeholder);
}

/** First occurrence of a placeholder. */
interface Placeholder {
  readonly path: string;
  readonly range: Range;
  readonly isSecret: boolean;
  readonly rule: PlaceholderRule | undefined;
  /** Number of further occurrences of the placeholder. */
  more: number;
}

function reportPlaceholder(
  file: FileCheck,
  code: string,
  name: string,
  { path, range, isSecret, rule, more }: Placeholder,
): void {
  const shown = isSecret ? "a placeholder" : file.shown(name);
  const also =
    more === 0 ? "" : `, ${more} more time${more === 1 ? "" : "s"} below`;
  const applies = rule !== undefined && name.includes(rule.contains);
  file.report(
    code,
    range,
    path,
    `${shown} ${applies ? rule.message : `was not replaced${also}`}`,
    {
      severity: file.options.isStrict === true ? "error" : "warning",
      suggestion: applies
        ? rule.suggestion
        : "replace the placeholder before the file is applied",
    },
  );
}
