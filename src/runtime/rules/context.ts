import type { CheckName, FileRule, FileRules, Severity } from "./definition.js";
import { redactCredentials } from "./mask.js";
import { displayText, joinPaths, pathText, pointerOf } from "./paths.js";
import type { KeyPath } from "./paths.js";
import type { Properties, Property } from "./properties.js";
import type { Entry, MapNode, Node, Range, ScalarNode } from "./tree.js";

/** Options of a check. */
export interface FileOptions {
  /** Name of the version for which the file is checked. Default: see `rules`. */
  readonly target?: string | undefined;
  /** Mode in which the file is used. Default: findings do not depend on it. */
  readonly mode?: string | undefined;
  readonly phase?: string | undefined;
  /** True to report placeholders as errors. Default: false. */
  readonly isStrict?: boolean | undefined;
  /**
   * Function that tests whether a file exists. Default: files that the values
   * name are not checked.
   */
  readonly fileExists?: ((path: string) => boolean) | undefined;
}

/** Finding about a file. */
export interface Finding {
  /** Code of the rule. */
  readonly code: string;
  readonly severity: Severity;
  /**
   * JSON pointer (RFC 6901) to the value, or to the missing value; empty for
   * the complete file.
   */
  readonly pointer: string;
  /** The pointer in a form for people, such as `hosts[0].name`. */
  readonly path: string;
  readonly message: string;
  /** Suggested fix. */
  readonly suggestion?: string;
  /**
   * True if the severity depends on the option `mode`, and the option is
   * absent.
   */
  readonly dependsOnMode?: true;
  /** Position in the source text; without a source, zero. */
  readonly range: Range;
}

/**
 * Source text of a tree. Programs that check text pass it, so that messages
 * refer to lines, and to report mistakes that only the text shows.
 */
export interface FileSource {
  /** Returns a position for messages, such as `line 5`. */
  readonly locate: (range: Range) => string;
  /** Returns the range of a part of a scalar, such as a placeholder. */
  readonly find: (scalar: Range, part: string, index: number) => Range;
  /** Checks the entries of a map, such as for duplicate keys. */
  readonly checkMap: (file: FileCheck, node: MapNode, path: KeyPath) => void;
  /**
   * Checks the notation of a scalar. Returns true after a finding that makes
   * checks of the value useless.
   */
  readonly checkScalar: (
    file: FileCheck,
    node: ScalarNode,
    property: Property,
    path: string,
  ) => boolean;
}

/** Property that the checked file contains. */
export interface PropertyInstance {
  /** Path with list indexes, such as `hosts[0].name`. */
  readonly path: string;
  readonly property: Property;
  readonly node: Node;
  /** Range of the key. For a list element, the start of its value. */
  readonly keyRange: Range;
}

/** Members of a finding that most findings do not have. */
interface FindingDetails {
  readonly suggestion?: string | undefined;
  readonly severity?: Severity | undefined;
  readonly dependsOnMode?: boolean;
}

/** Maximum number of findings that are stored, to limit memory use. */
const MAX_FINDINGS = 20_000;

/** State of one check: the properties of a file, and findings about them. */
export class FileCheck {
  readonly findings: Finding[] = [];
  readonly properties: Properties;
  readonly rules: FileRules;
  readonly options: FileOptions;
  readonly source: FileSource | undefined;
  /** Name of the target version. */
  readonly target: string;
  /** Version whose rules apply to the target. */
  readonly version: string;
  /**
   * Properties, keyed by path. For a misspelled key, the path contains the
   * corrected spelling.
   */
  readonly found: Map<string, PropertyInstance> = new Map();
  /** Properties that the target version no longer supports, keyed by path. */
  readonly removed: Map<string, PropertyInstance> = new Map();
  readonly #byGeneralPath = new Map<string, PropertyInstance[]>();
  readonly #reported = new Set<string>();
  /** Paths of the blocks that contain a reported property. */
  readonly #aboveReported = new Set<string>();
  /** Paths of properties that must have a value. */
  readonly #required = new Set<string>();
  readonly #codes = new Map<CheckName, string>();
  #overflowCount = 0;
  #hasOverflowErrors = false;

  constructor(
    properties: Properties,
    options: FileOptions,
    source: FileSource | undefined,
  ) {
    const { rules } = properties;
    const target = options.target ?? rules.defaultTarget;
    const version = Object.hasOwn(rules.targets, target)
      ? rules.targets[target]
      : undefined;
    if (version === undefined) throw new Error(`unknown target ${target}`);
    for (const [code, { check }] of Object.entries(rules.codes))
      if (check !== undefined) this.#codes.set(check, code);
    this.properties = properties;
    this.rules = rules;
    this.options = options;
    this.source = source;
    this.target = target;
    this.version = version;
  }

  report(
    code: string,
    range: Range,
    path: string,
    message: string,
    details: FindingDetails = {},
  ): void {
    const { suggestion } = details;
    const severity =
      details.severity ?? this.rules.codes[code]?.severity ?? "error";
    if (this.findings.length >= MAX_FINDINGS) {
      this.#overflowCount++;
      this.#hasOverflowErrors ||= severity === "error";
      return;
    }
    this.findings.push({
      code,
      severity,
      pointer: pointerOf(path),
      path,
      message: redactCredentials(message),
      ...(suggestion === undefined ? {} : { suggestion }),
      ...(details.dependsOnMode === true ? { dependsOnMode: true } : {}),
      range,
    });
  }

  /**
   * Returns the code of a check. Without a row in the description, the name of
   * the check is the code.
   */
  codeOf(check: CheckName): string {
    return this.#codes.get(check) ?? check;
  }

  /** Reports a finding of a rule, with the severity in the current mode. */
  reportRule(
    rule: FileRule,
    range: Range,
    path: string,
    message: string,
    suggestion?: string,
  ): void {
    const { mode } = this.options;
    const inMode = mode === undefined ? undefined : rule.modes?.[mode];
    this.report(rule.code, range, path, message, {
      suggestion,
      severity: inMode === "off" ? undefined : (inMode ?? rule.severity),
      dependsOnMode: mode === undefined && rule.modes !== undefined,
    });
  }

  /**
   * Number of findings that were dropped because of the limit, and whether
   * errors were among them.
   */
  get overflow(): { readonly count: number; readonly hasErrors: boolean } {
    return { count: this.#overflowCount, hasErrors: this.#hasOverflowErrors };
  }

  /**
   * Returns true if the check can stop: the number of findings has reached its
   * maximum and the file is known to be invalid.
   */
  get isLimitReached(): boolean {
    return (
      this.findings.length >= MAX_FINDINGS &&
      (this.#hasOverflowErrors ||
        this.findings.some(({ severity }) => severity === "error"))
    );
  }

  /** Formats a path for messages. */
  pathText(path: KeyPath): string {
    return pathText(path, this.properties);
  }

  /** Formats a key or value for messages, with secrets masked. */
  shown(text: string): string {
    return displayText(text, this.properties);
  }

  /** Returns the position of a property for messages. */
  locate({ keyRange, path }: PropertyInstance): string {
    return this.source?.locate(keyRange) ?? pointerOf(path);
  }

  addProperty(instance: PropertyInstance): void {
    this.found.set(instance.path, instance);
    const general = instance.property.row.path;
    const others = this.#byGeneralPath.get(general);
    if (others === undefined) this.#byGeneralPath.set(general, [instance]);
    else others.push(instance);
  }

  addRemoved(property: Property, entry: Entry, path: string): void {
    const { value: node, keyRange } = entry;
    this.removed.set(path, { path, property, node, keyRange });
  }

  /**
   * Marks a property as reported. `[]` in the path means all elements of a
   * list.
   */
  markReported(path: string): void {
    this.#reported.add(path);
    for (const above of pathsAbove(path)) this.#aboveReported.add(above);
  }

  /**
   * Removes the finding about an empty block if a property of the block was
   * reported in the wrong block: the misplaced property is the reason why the
   * block is empty.
   */
  dropRedundantEmptyFindings(): void {
    const empty = this.codeOf("empty");
    const remaining = this.findings.filter(
      ({ code, path }) => code !== empty || !this.#aboveReported.has(path),
    );
    this.findings.length = 0;
    for (const finding of remaining) this.findings.push(finding);
  }

  /** Tests whether a property was already reported. */
  isReported(path: string): boolean {
    return this.#isCovered(path) || this.#isCovered(toGeneralPath(path));
  }

  #isCovered(path: string): boolean {
    return (
      this.#reported.has(path) ||
      this.#aboveReported.has(path) ||
      pathsAbove(path).some((above) => this.#reported.has(above))
    );
  }

  /**
   * Marks a property as required, so that a missing value is reported as an
   * error.
   */
  requireValue(path: string): void {
    this.#required.add(path);
  }

  /**
   * Returns all findings. A finding about a missing value becomes an error if
   * the property is required.
   */
  finalFindings(): Finding[] {
    const empty = this.codeOf("empty");
    return this.findings.map((finding) =>
      finding.code === empty && this.#required.has(finding.path)
        ? { ...finding, severity: "error" }
        : finding,
    );
  }

  /**
   * Returns all properties with a given path without list indexes, such as
   * `hosts[].name`. For an empty path, returns the top level.
   */
  instances(at: string): readonly PropertyInstance[] {
    return this.#byGeneralPath.get(at) ?? [];
  }

  /** Returns a nested property by its relative path, such as `paths.cert`. */
  member(
    owner: PropertyInstance,
    relative: string,
  ): PropertyInstance | undefined {
    return this.found.get(joinPaths(owner.path, relative));
  }

  /**
   * Returns the range for a finding about a missing property: the key of the
   * nearest existing block that should contain the property.
   */
  nearestRange(owner: string, relative: string): Range {
    const parts = joinPaths(owner, relative).split(".");
    while (parts.length > 0) {
      const instance = this.found.get(parts.join("."));
      if (instance !== undefined && instance.path !== "")
        return instance.keyRange;
      const last = parts.pop()!;
      const element = last.endsWith("]") ? last.replace(/\[\d+\]$/, "") : "";
      if (element !== "" && element !== last) parts.push(element);
    }
    return { start: 0, end: 1 };
  }
}

/** Maximum number of keys in a path. All paths of schemas have fewer keys. */
const MAX_PARTS = 20;

/**
 * Returns the paths of all blocks that contain the property with the given
 * path, except for the top level.
 */
function pathsAbove(path: string): string[] {
  const above: string[] = [];
  for (let at = 1; at < path.length && above.length < MAX_PARTS; at++)
    if (path[at] === "." || path[at] === "[") above.push(path.slice(0, at));
  return above;
}

function toGeneralPath(path: string): string {
  return path.includes("[") ? path.replace(/\[\d+\]/g, "[]") : path;
}
