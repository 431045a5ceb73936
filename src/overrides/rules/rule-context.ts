import type { Severity } from "../../diagnostics/types.js";
import type { LineIndex } from "../document/source-text.js";
import type { Node, Range } from "../document/tree.js";
import type { Finding } from "../finding.js";
import { redactCredentials } from "../redact.js";
import type { Property } from "../schema/property-index.js";
import { ruleCatalogue } from "./catalogue.js";

export interface CheckOptions {
  /** Name of the target version, such as `1.3.6`. */
  readonly target: string;
  /** Version whose rules apply to the target, such as `1.3`. */
  readonly version: string;
  readonly mode?: "prod" | "demo";
  readonly phase?: "install" | "final";
  readonly isStrict: boolean;
  /**
   * Function that tests whether a file exists. If this function is absent,
   * files named in the settings are not checked.
   */
  readonly fileExists?: (path: string) => boolean;
}

/** Property that the checked file contains. */
export interface PropertyInstance {
  /** Path with list indexes, such as `virtualhosts[0].name`. */
  readonly path: string;
  readonly property: Property;
  readonly node: Node;
  /** Range of the key. For a list element, the start of its value. */
  readonly keyRange: Range;
}

/** Maximum number of findings that are stored, to limit memory use. */
const MAX_FINDINGS = 20_000;

/** Properties in a file, and the findings about them. */
export class RuleContext {
  readonly findings: Finding[] = [];
  readonly options: CheckOptions;
  readonly lines: LineIndex;
  /**
   * Properties, keyed by path. For a misspelled key, the path contains the
   * corrected spelling.
   */
  readonly properties = new Map<string, PropertyInstance>();
  /** Properties, keyed by path without list indexes, such as `envs[].name`. */
  readonly byGeneralPath = new Map<string, PropertyInstance[]>();
  /** Properties that the target version no longer supports, keyed by path. */
  readonly removedProperties = new Map<string, PropertyInstance>();
  readonly #reported = new Set<string>();
  /** Paths of the blocks that contain a reported property. */
  readonly #aboveReported = new Set<string>();

  /** Paths of properties that must have a value. */
  readonly #required = new Set<string>();
  #overflowCount = 0;
  #hasOverflowErrors = false;

  constructor(lines: LineIndex, options: CheckOptions) {
    this.lines = lines;
    this.options = options;
  }

  report(
    code: string,
    at: Range,
    path: string,
    message: string,
    extra: {
      suggestion?: string;
      severity?: Severity;
      dependsOnMode?: boolean;
    } = {},
  ): void {
    const { suggestion, severity = ruleCatalogue[code]!.severity } = extra;
    if (this.findings.length >= MAX_FINDINGS) {
      this.#overflowCount++;
      this.#hasOverflowErrors ||= severity === "error";
      return;
    }
    this.findings.push({
      code,
      severity,
      offset: at.start,
      length: Math.max(1, at.end - at.start),
      path,
      message: redactCredentials(message),
      ...(suggestion === undefined ? {} : { suggestion }),
      ...(extra.dependsOnMode === true ? { dependsOnMode: true } : {}),
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

  addProperty(general: string, instance: PropertyInstance): void {
    this.properties.set(instance.path, instance);
    const others = this.byGeneralPath.get(general);
    if (others === undefined) this.byGeneralPath.set(general, [instance]);
    else others.push(instance);
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
    const remaining = this.findings.filter(
      ({ code, path }) => code !== "T05" || !this.#aboveReported.has(path),
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
    return this.findings.map((finding) =>
      finding.code === "T05" && this.#required.has(finding.path)
        ? { ...finding, severity: "error" }
        : finding,
    );
  }

  /**
   * Returns all properties with a given path without list indexes, such as
   * `envs[].name`. For an empty path, returns the top level.
   */
  instances(at: string): readonly PropertyInstance[] {
    return this.byGeneralPath.get(at) ?? [];
  }

  /**
   * Returns a nested property by its relative path, such as
   * `serviceAccountPaths.udca`.
   */
  member(
    owner: PropertyInstance,
    relative: string,
  ): PropertyInstance | undefined {
    return this.properties.get(joinPaths(owner.path, relative));
  }

  /**
   * Returns the range for a finding about a missing property: the key of the
   * nearest existing block that should contain the property.
   */
  nearestRange(owner: string, relative: string): Range {
    const parts = joinPaths(owner, relative).split(".");
    while (parts.length > 0) {
      const instance = this.properties.get(parts.join("."));
      if (instance !== undefined && instance.path !== "")
        return instance.keyRange;
      const last = parts.pop()!;
      const element = last.endsWith("]") ? last.replace(/\[\d+\]$/, "") : "";
      if (element !== "" && element !== last) parts.push(element);
    }
    return { start: 0, end: 1 };
  }
}

/** Maximum number of keys in a path. All known paths have fewer keys. */
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

/** Appends a relative path to a path. */
export function joinPaths(path: string, relative: string): string {
  if (path === "") return relative;
  return relative === "" ? path : `${path}.${relative}`;
}
