import type { Severity } from "../../diagnostics/types.js";
import type { LineIndex } from "../document/line-index.js";
import type { Node, Range } from "../document/tree.js";
import type { Finding } from "../finding.js";
import { redactCredentials } from "../redact.js";
import type { Property } from "../schema/property-index.js";
import { ruleCatalogue } from "./catalogue.js";

/** Options for checking a file. */
export interface CheckOptions {
  /** Name of the target, such as `1.3.6`. */
  readonly target: string;
  /** Version that the target stands for, such as `1.3`. */
  readonly version: string;
  readonly mode?: "prod" | "demo";
  readonly phase?: "install" | "final";
  readonly isStrict: boolean;
  /**
   * Returns whether a file exists. If absent, files named in settings are not
   * checked.
   */
  readonly fileExists?: (path: string) => boolean;
}

/** Property that is present in the file. */
export interface PropertyInstance {
  /** Path with indexes, such as `virtualhosts[0].name`. */
  readonly path: string;
  readonly property: Property;
  readonly node: Node;
  /** Range of the key. For a list element, start of its value. */
  readonly keyRange: Range;
}

/** Maximum number of stored findings, to limit memory. */
const MAX_FINDINGS = 20_000;

/** Properties found in a file, and the findings about them. */
export class RuleContext {
  readonly findings: Finding[] = [];
  readonly options: CheckOptions;
  readonly lines: LineIndex;
  /**
   * Properties by path. The path contains the corrected spelling of a
   * misspelled key.
   */
  readonly properties = new Map<string, PropertyInstance>();
  /** Properties by path without list indexes, such as `envs[].name`. */
  readonly byGeneralPath = new Map<string, PropertyInstance[]>();
  /** Properties that the target no longer supports, by path. */
  readonly removedProperties = new Map<string, PropertyInstance>();
  readonly #reported = new Set<string>();
  /** Paths of the blocks that contain a path from `#reported`. */
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
   * Number of findings dropped because of the limit, and whether errors were
   * among them.
   */
  get overflow(): { readonly count: number; readonly hasErrors: boolean } {
    return { count: this.#overflowCount, hasErrors: this.#hasOverflowErrors };
  }

  /**
   * Returns whether checking can stop: the maximum number of findings is
   * reached and the file is known to be invalid.
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
   * Marks a property as already reported. `[]` in the path means all elements.
   */
  markReported(path: string): void {
    this.#reported.add(path);
    for (const above of pathsAbove(path)) this.#aboveReported.add(above);
  }

  /**
   * Removes findings about empty blocks whose value was found in the wrong
   * position, because that position is already reported.
   */
  dropRedundantEmptyFindings(): void {
    const remaining = this.findings.filter(
      ({ code, path }) => code !== "T05" || !this.#aboveReported.has(path),
    );
    this.findings.length = 0;
    for (const finding of remaining) this.findings.push(finding);
  }

  /** Returns whether a property was already reported. */
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

  /** Marks a property as required, so that a missing value is an error. */
  requireValue(path: string): void {
    this.#required.add(path);
  }

  /**
   * Returns all findings. A missing value of a required property becomes an
   * error.
   */
  finalFindings(): Finding[] {
    return this.findings.map((finding) =>
      finding.code === "T05" && this.#required.has(finding.path)
        ? { ...finding, severity: "error" }
        : finding,
    );
  }

  /**
   * Returns the properties with a path such as `envs[].name`; the top level for
   * an empty path.
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
   * Returns the range to report for a missing property: its nearest existing
   * parent key.
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

/** Maximum number of keys in a path. All known paths have fewer. */
const MAX_PARTS = 20;

/**
 * Returns the paths of all blocks that contain a path, except the top level.
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
