import { detectVersion, type Detected } from "./detect-version.js";
import { Lines } from "./document/lines.js";
import { outlineOf, outlineOfText } from "./document/outline.js";
import { findInvisible } from "./document/invisible-characters.js";
import { findMistake } from "./document/syntax-mistakes.js";
import { readYaml } from "./document/read-yaml.js";
import { findTemplate } from "./document/template-expressions.js";
import { decode } from "./document/source-text.js";
import type { Read, SharedName, Trouble } from "./document/parsed-yaml.js";
import type { MapNode } from "./document/tree.js";
import type { Finding, OverridesDiagnostic } from "./finding.js";
import { maskSecrets, type ShowLine } from "./report/line-masker.js";
import { catalogue } from "./rules/catalogue.js";
import { reportPlaceholders } from "./rules/cross-field-rules.js";
import { Context, type CheckOptions } from "./rules/context.js";
import { checkRule } from "./rules/index.js";
import { reportMissing } from "./rules/missing-properties.js";
import { walkFile } from "./rules/walk.js";
import { knowledge } from "./schema/property-index.js";

/** Largest file in bytes; the largest known has 14 kB. */
export const MOST_BYTES: number = 1 << 20;

const TOO_LARGE = "the file must not be larger than 1 MiB";

/** What came of checking one file. */
export interface Checked {
  readonly file: string;
  readonly detected: Detected;
  readonly findings: readonly Finding[];
  /** The findings that reports show, at most 1,000. */
  readonly shown: readonly Finding[];
  /** `shown`, by line and column. */
  readonly diagnostics: readonly OverridesDiagnostic[];
  /** No finding is an error. */
  readonly isValid: boolean;
  /** The file could be read, as bytes and as text. */
  readonly isReadable: boolean;
  /** Lines of the file as a report may show them. */
  readonly showLine: ShowLine;
  readonly lines: Lines;
  /** Absent where the file is no YAML to be looked at. */
  readonly root?: MapNode;
  /** Anchors and aliases. */
  readonly names?: readonly SharedName[];
}

/** Options with the version that a target stands for. Throws for a target that the table lacks. */
export function checkOptions(
  target: string,
  others: Partial<CheckOptions> = {},
): CheckOptions {
  const version = knowledge().table.targets[target];
  if (version === undefined) throw new Error(`no target ${target}`);
  return { isStrict: false, ...others, target, version };
}

/** Checks a file: all that is wrong, in the order of the file. */
export function checkFile(
  file: string,
  bytes: Uint8Array,
  options: CheckOptions,
): Checked {
  if (bytes.length > MOST_BYTES) return unreadable(file, TOO_LARGE);
  const { text, badAt } = decode(bytes);
  const lines = new Lines(text);
  if (badAt >= 0)
    return stopped(file, lines, [
      {
        code: "S01",
        offset: badAt,
        length: 1,
        message: "the bytes here are no UTF-8 text",
      },
    ]);
  const template = findTemplate(text);
  if (template !== undefined)
    return stopped(file, lines, [
      {
        code: "S08",
        offset: template.offset,
        length: template.length,
        message: `a template engine has not run yet: ${template.count} mark${template.count === 1 ? "" : "s"} of it`,
      },
    ]);
  const invisible = findInvisible(text);
  if (invisible.length > 0) return stopped(file, lines, invisible);
  const read = readYaml(text);
  const { root, troubles } = read;
  if (root === undefined)
    return stopped(
      file,
      lines,
      troubles.map((own) => explained(own, lines)),
    );
  return checkTree(file, lines, { ...read, root }, options);
}

/** Trouble with the YAML, by the mistake that leads to it if that is a common one. */
function explained(own: Trouble, lines: Lines): Trouble {
  const isSyntax = own.code === "S02" || own.code === "S06";
  const mistake = isSyntax ? findMistake(lines, own.offset) : undefined;
  return mistake === undefined ? own : { ...own, ...mistake };
}

/** A file that could not be opened. */
export function unreadable(file: string, reason: string): Checked {
  return stopped(file, new Lines(""), [
    { code: "S00", offset: 0, length: 1, message: reason },
  ]);
}

function checkTree(
  file: string,
  lines: Lines,
  { root, troubles, names = [] }: Read & { readonly root: MapNode },
  options: CheckOptions,
): Checked {
  const context = new Context(lines, options);
  walkFile(context, root, knowledge().root);
  context.dropEmptied();
  if (!context.isDecided) reportMissing(context);
  for (const rule of knowledge().table.rules)
    if (!context.isDecided) checkRule(context, rule);
  if (!context.isDecided) reportPlaceholders(context);
  const detected = detectVersion(outlineOf(root, knowledge().root));
  const findings = [...troubles.map(toFinding), ...context.settled()];
  const result = resultOf(file, lines, detected, findings, context.more);
  return {
    ...result,
    showLine: maskSecrets(lines, root),
    root,
    names,
  };
}

function stopped(
  file: string,
  lines: Lines,
  troubles: readonly Trouble[],
): Checked {
  const detected = detectVersion(outlineOfText(lines.text, knowledge().root));
  return resultOf(file, lines, detected, troubles.map(toFinding));
}

function toFinding({ code, offset, length, message }: Trouble): Finding {
  const { severity, fix } = catalogue[code]!;
  // Aliases that explode are refused; others only deserve a look.
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

function resultOf(
  file: string,
  lines: Lines,
  detected: Detected,
  all: readonly Finding[],
  more = { count: 0, hasErrors: false },
): Checked {
  const findings = inOrder(all);
  const shown = shownOf(findings, more.count);
  return {
    file,
    detected,
    findings,
    shown,
    diagnostics: shown.map((finding) => located(finding, lines)),
    isValid:
      !more.hasErrors && findings.every(({ severity }) => severity !== "error"),
    isReadable: findings.every(({ code }) => code !== "S00" && code !== "S01"),
    showLine: maskSecrets(lines),
    lines,
  };
}

/** Findings that reports show at most; no file that people write has more. */
const MOST_FINDINGS = 1_000;

/** The first errors, and as many others; how many are left out is a finding, too. */
function shownOf(
  findings: readonly Finding[],
  more: number,
): readonly Finding[] {
  if (findings.length <= MOST_FINDINGS) return findings;
  const errors = findings.filter(({ severity }) => severity === "error");
  const others = findings.filter(({ severity }) => severity !== "error");
  const chosen = new Set([...errors, ...others].slice(0, MOST_FINDINGS));
  const left = findings.length - MOST_FINDINGS + more;
  return [
    ...findings.filter((finding) => chosen.has(finding)),
    {
      code: "S12",
      severity: "info",
      offset: findings.at(-1)!.offset,
      length: 1,
      path: "",
      message: `at least ${left.toLocaleString("en")} more findings are not shown`,
      suggestion: catalogue["S12"]!.fix,
    },
  ];
}

/** In the order of the file; what an alias makes the rules say twice, once. */
function inOrder(findings: readonly Finding[]): Finding[] {
  const seen = new Set<string>();
  return [...findings]
    .sort((a, b) => a.offset - b.offset)
    .filter(({ code, offset, message }) => {
      const key = `${offset} ${code} ${message}`;
      return seen.has(key) ? false : seen.add(key);
    });
}

function located(finding: Finding, lines: Lines): OverridesDiagnostic {
  const { code, severity, path, message, suggestion = "" } = finding;
  const { line, column } = lines.positionOf(finding.offset);
  return { code, severity, line, column, path, message, suggestion };
}
