import { printJson } from "../json.js";
import { bySeverity } from "../severity.js";
import type { Diagnostic, Severity } from "../types.js";
import { visibleJson } from "./output.js";

export interface SarifRule {
  readonly id: string;
  /** Default severity; absent if the severity differs between findings. */
  readonly severity?: Severity;
  readonly title?: string;
  readonly description?: string;
  /**
   * Description that code scanning services show with the findings of the rule.
   */
  readonly help?: string;
}

/** Finding with the optional members of a SARIF result. */
export interface SarifFinding extends Diagnostic {
  /** Fingerprints, keyed by name and version, such as `genDiff/v1`. */
  readonly fingerprints?: Readonly<Record<string, string>>;
  readonly properties?: Readonly<Record<string, string>>;
  /** Other positions that the finding affects. */
  readonly related?: readonly RelatedPosition[];
  /** Reason for which the finding is accepted. */
  readonly justification?: string;
}

/** Position with a message, which a finding affects. */
export interface RelatedPosition {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/** Tool that produced a SARIF log. */
export interface SarifTool {
  readonly name: string;
  readonly version: string;
  /** All rules of the tool. Default: one rule for each code of the findings. */
  readonly rules?: readonly SarifRule[];
}

const LEVELS = { error: "error", warning: "warning", info: "note" } as const;

/**
 * Formats findings as a SARIF 2.1.0 log for code scanning services
 * (https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html). Errors
 * are first, because the services limit the number of results.
 * @param notes messages about the report, such as counts of omitted findings
 */
export function sarifLog(
  findings: readonly SarifFinding[],
  { name, version, rules = rulesOf(findings) }: SarifTool,
  notes: readonly string[] = [],
): string {
  const indexes = new Map(rules.map(({ id }, index) => [id, index]));
  const driver = { name, version, rules: rules.map(ruleObject) };
  const sorted = bySeverity(findings) as readonly SarifFinding[];
  const results = sorted.map((finding) => resultObject(finding, indexes));
  return `${visibleJson({
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: { driver },
        columnKind: "utf16CodeUnits",
        ...(notes.length === 0 ? {} : { invocations: [invocation(notes)] }),
        results,
      },
    ],
  })}\n`;
}

function invocation(notes: readonly string[]): object {
  return {
    executionSuccessful: true,
    toolExecutionNotifications: notes.map((text) => ({
      level: "note",
      message: { text },
    })),
  };
}

/** Indentation of results in a log, in characters. */
const RESULT_INDENT = 8;

/** Returns the size of a finding in a log, in bytes. */
export function resultSize(finding: SarifFinding): number {
  const text = printJson(resultObject(finding, new Map([[finding.code, 0]])));
  return Buffer.byteLength(text) + RESULT_INDENT * text.split("\n").length + 2;
}

/**
 * Returns the rules of findings; each rule contains the cause and fix of its
 * code.
 */
function rulesOf(findings: readonly Diagnostic[]): SarifRule[] {
  const rules = new Map<string, SarifRule>();
  for (const { code: id, severity, cause, fix } of findings) {
    if (rules.has(id)) continue;
    const help = [cause, fix].filter((text) => text !== undefined).join(" ");
    rules.set(id, {
      id,
      severity,
      ...(cause === undefined ? {} : { title: cause, description: cause }),
      ...(help === "" ? {} : { help }),
    });
  }
  return [...rules.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
}

function ruleObject(rule: SarifRule): object {
  const { id, severity, title, description, help } = rule;
  return {
    id,
    ...(title === undefined ? {} : { shortDescription: { text: title } }),
    ...(description === undefined
      ? {}
      : { fullDescription: { text: description } }),
    ...(help === undefined ? {} : { help: { text: help } }),
    ...(severity === undefined
      ? {}
      : { defaultConfiguration: { level: LEVELS[severity] } }),
  };
}

function resultObject(
  finding: SarifFinding,
  indexes: ReadonlyMap<string, number>,
): object {
  const { code, severity, message, fix, fingerprints, properties } = finding;
  const { justification } = finding;
  const index = indexes.get(code);
  return {
    ruleId: code,
    ...(index === undefined ? {} : { ruleIndex: index }),
    level: LEVELS[severity],
    message: { text: fix === undefined ? message : `${message}. ${fix}` },
    ...(fingerprints === undefined
      ? {}
      : { partialFingerprints: fingerprints }),
    ...(properties === undefined ? {} : { properties }),
    ...(justification === undefined
      ? {}
      : {
          suppressions: [
            { kind: "external", status: "accepted", justification },
          ],
        }),
    ...(finding.file === undefined ? {} : { locations: [locationOf(finding)] }),
    ...(finding.related === undefined
      ? {}
      : { relatedLocations: finding.related.map(relatedLocation) }),
  };
}

function locationOf({ file, line, column, pointer }: Diagnostic): object {
  const region =
    line === undefined
      ? {}
      : { region: { startLine: line, startColumn: column ?? 1 } };
  return {
    physicalLocation: {
      artifactLocation: { uri: uriOf(file!) },
      ...region,
    },
    ...(pointer === undefined || pointer === ""
      ? {}
      : { logicalLocations: [{ fullyQualifiedName: pointer }] }),
  };
}

function relatedLocation({
  file,
  line,
  column,
  message,
}: RelatedPosition): object {
  return {
    physicalLocation: {
      artifactLocation: { uri: uriOf(file) },
      region: { startLine: line, startColumn: column },
    },
    message: { text: message },
  };
}

/**
 * Returns the URI reference of a file. A relative path remains relative, so
 * that code scanning services resolve it within the repository.
 */
function uriOf(file: string): string {
  const path = file.split(/[\\/]/).map(encodeURIComponent).join("/");
  if (/^[A-Za-z]:[\\/]/.test(file))
    return `file:///${path.replace("%3A", ":")}`;
  return file.startsWith("/") ? `file://${path}` : path;
}
