import {
  checkRuntimeOverrides,
  type Finding as FileFinding,
} from "../../generated/overrides/v1.3/rules.js";
import { formatCount } from "../diagnostics/format-count.js";
import { detectVersion, type DetectedVersion } from "./detect-version.js";
import {
  LineIndex,
  findInvisibleCharacters,
  findTemplateExpression,
  decode,
} from "./document/source-text.js";
import { outlineOf, outlineOfText } from "./document/keyed-lines.js";
import { findMistake } from "./document/syntax-mistakes.js";
import { readYaml } from "./document/read-yaml.js";
import type {
  ParsedYaml,
  AnchorOrAlias,
  YamlProblem,
  MapNode,
} from "./document/tree.js";
import {
  type Finding,
  type OverridesDiagnostic,
  limitFindings,
  sortUnique,
} from "./finding.js";
import { createLineMasker, type LineMasker } from "./report/mask.js";
import { ruleCatalogue } from "./rules/catalogue.js";
import { yamlSource } from "./rules/yaml-source.js";
import { propertyIndex } from "./schema/property-index.js";

/**
 * Maximum size of a file in bytes. The largest known overrides file has 14 kB.
 */
export const MAX_BYTES: number = 1 << 20;

const TOO_LARGE = "the file must not be larger than 1 MiB";

export interface CheckOptions {
  /** Name of the target version, such as `1.3.6`. */
  readonly target: string;
  readonly mode?: "prod" | "demo";
  readonly phase?: "install" | "final";
  readonly isStrict: boolean;
  /**
   * Function that tests whether a file exists. If this function is absent,
   * files named in the settings are not checked.
   */
  readonly fileExists?: (path: string) => boolean;
}

export interface CheckResult {
  readonly file: string;
  readonly detected: DetectedVersion;
  readonly findings: readonly Finding[];
  /** Findings that are shown in reports, at most 1,000. */
  readonly shownFindings: readonly Finding[];
  /** Findings in `shownFindings`, with line and column numbers. */
  readonly diagnostics: readonly OverridesDiagnostic[];
  /** True if no finding has the severity error. */
  readonly isValid: boolean;
  /** True if the file could be opened and decoded. */
  readonly isReadable: boolean;
  /** Function that returns a line with secrets masked. */
  readonly maskLine: LineMasker;
  readonly lines: LineIndex;
  /** Root of the parsed file; absent if the file is invalid YAML. */
  readonly root?: MapNode;
  /** Anchors and aliases in the file. */
  readonly anchors?: readonly AnchorOrAlias[];
}

/** Returns the options for a target. Throws if the target is unknown. */
export function resolveCheckOptions(
  target: string,
  others: Partial<CheckOptions> = {},
): CheckOptions {
  if (!Object.hasOwn(propertyIndex().rules.targets, target))
    throw new Error(`unknown target ${target}`);
  return { isStrict: false, ...others, target };
}

/** Checks an overrides file. Returns the findings in the order of the file. */
export function checkFile(
  file: string,
  bytes: Uint8Array,
  options: CheckOptions,
): CheckResult {
  if (bytes.length > MAX_BYTES) return unreadableResult(file, TOO_LARGE);
  const { text, invalidOffset } = decode(bytes);
  const lines = new LineIndex(text);
  if (invalidOffset >= 0)
    return unparsedResult(file, lines, [
      {
        code: "S01",
        offset: invalidOffset,
        length: 1,
        message: "the file is not valid UTF-8 text at this position",
      },
    ]);
  const template = findTemplateExpression(text);
  if (template !== undefined)
    return unparsedResult(file, lines, [
      {
        code: "S08",
        offset: template.offset,
        length: template.length,
        message: `found ${formatCount(template.count, "unrendered template expression")}`,
      },
    ]);
  const invisible = findInvisibleCharacters(text);
  if (invisible.length > 0) return unparsedResult(file, lines, invisible);
  const read = readYaml(text);
  const { root, problems } = read;
  if (root === undefined)
    return unparsedResult(
      file,
      lines,
      problems.map((problem) => explainProblem(problem, lines)),
    );
  return checkTree(file, lines, { ...read, root }, options);
}

/**
 * Replaces the message of a syntax error with a more specific one, if a common
 * mistake is found near the error.
 */
function explainProblem(problem: YamlProblem, lines: LineIndex): YamlProblem {
  const isSyntax = problem.code === "S02" || problem.code === "S06";
  const mistake = isSyntax ? findMistake(lines, problem.offset) : undefined;
  return mistake === undefined ? problem : { ...problem, ...mistake };
}

/** Returns the check result for a file that could not be read. */
export function unreadableResult(file: string, reason: string): CheckResult {
  return unparsedResult(file, new LineIndex(""), [
    { code: "S00", offset: 0, length: 1, message: reason },
  ]);
}

function checkTree(
  file: string,
  lines: LineIndex,
  { root, problems, anchors = [] }: ParsedYaml & { readonly root: MapNode },
  options: CheckOptions,
): CheckResult {
  const { findings: found, overflow } = checkRuntimeOverrides(
    root,
    yamlSource(lines),
    options,
  );
  const detected = detectVersion(outlineOf(root, propertyIndex().root));
  const findings = [...problems.map(toFinding), ...found.map(withOffset)];
  const result = buildResult(file, lines, detected, findings, overflow);
  return {
    ...result,
    maskLine: createLineMasker(lines, root),
    root,
    anchors,
  };
}

function withOffset({ range, ...finding }: FileFinding): Finding {
  const { start: offset, end } = range;
  return { ...finding, offset, length: Math.max(1, end - offset) };
}

function unparsedResult(
  file: string,
  lines: LineIndex,
  problems: readonly YamlProblem[],
): CheckResult {
  const detected = detectVersion(
    outlineOfText(lines.text, propertyIndex().root),
  );
  return buildResult(file, lines, detected, problems.map(toFinding));
}

function toFinding({ code, offset, length, message }: YamlProblem): Finding {
  const { severity, fix } = ruleCatalogue[code]!;
  // Rule S07 stops the check only if aliases expand the file to too many
  // values. Otherwise its finding is a warning.
  const isStopper = code === "S07" && message.includes("more than");
  return {
    code,
    severity: isStopper ? "error" : severity,
    offset,
    length,
    path: "",
    message,
    suggestion: fix,
  };
}

function buildResult(
  file: string,
  lines: LineIndex,
  detected: DetectedVersion,
  all: readonly Finding[],
  more = { count: 0, hasErrors: false },
): CheckResult {
  const findings = sortUnique(all);
  const shownFindings = limitFindings(findings, more.count);
  return {
    file,
    detected,
    findings,
    shownFindings,
    diagnostics: shownFindings.map((finding) => toDiagnostic(finding, lines)),
    isValid:
      !more.hasErrors && findings.every(({ severity }) => severity !== "error"),
    isReadable: findings.every(({ code }) => code !== "S00" && code !== "S01"),
    maskLine: createLineMasker(lines),
    lines,
  };
}

function toDiagnostic(finding: Finding, lines: LineIndex): OverridesDiagnostic {
  const { code, severity, path, message, suggestion = "" } = finding;
  const { line, column } = lines.positionOf(finding.offset);
  return { code, severity, line, column, path, message, suggestion };
}
