import type { Severity } from "../../diagnostics/types.js";
import type { LineIndex } from "../document/line-index.js";
import type { Node, Range } from "../document/tree.js";
import type { Finding } from "../finding.js";
import { redactCredentials } from "../redact.js";
import type { Property } from "../schema/property-index.js";
import { ruleCatalogue } from "./catalogue.js";

/** Options of a check. */
export interface CheckOptions {
  /** Name of the target, such as `1.3.6`. */
  readonly target: string;
  /** Version of the target. */
  readonly version: string;
  readonly mode?: "prod" | "demo";
  readonly phase?: "install" | "final";
  readonly isStrict: boolean;
  /** Returns whether a file exists; absent if files are not checked. */
  readonly fileExists?: (path: string) => boolean;
}

/** Property that is present in the file. */
export interface PropertyInstance {
  /** Path with indexes, such as `virtualhosts[0].name`. */
  readonly path: string;
  readonly property: Property;
  readonly node: Node;
  /** Range of the key; for a list element, the beginning of its value. */
  readonly keyRange: Range;
}

/** Maximum number of stored findings, to bound memory. */
const MAX_FINDINGS = 20_000;

/** Properties of a file for the rules, and the findings about them. */
export class RuleContext {
  readonly findings: Finding[] = [];
  readonly options: CheckOptions;
  readonly lines: LineIndex;
  /** Properties by path, under their corrected names. */
  readonly properties = new Map<string, PropertyInstance>();
  /** Properties by general path, such as `envs[].name`. */
  readonly byGeneralPath = new Map<string, PropertyInstance[]>();
  /** Properties that the target no longer supports, by path. */
  readonly removedProperties = new Map<string, PropertyInstance>();
  readonly #reported = new Set<string>();
  /** Ancestors of the paths in `#reported`. */
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

  /** Number of findings beyond the limit, with a flag for errors among them. */
  get overflow(): { readonly count: number; readonly hasErrors: boolean } {
    return { count: this.#overflowCount, hasErrors: this.#hasOverflowErrors };
  }

  /**
   * Returns whether further rules can't change the report: the limit is reached
   * and the file is invalid.
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

  /** Marks a property as covered by a finding; `[]` includes all elements. */
  markReported(path: string): void {
    this.#reported.add(path);
    for (const above of pathsAbove(path)) this.#aboveReported.add(above);
  }

  /**
   * Drops findings about blocks that are empty only because their value was
   * found at another position.
   */
  dropRedundantEmptyFindings(): void {
    const remaining = this.findings.filter(
      ({ code, path }) => code !== "T05" || !this.#aboveReported.has(path),
    );
    this.findings.length = 0;
    for (const finding of remaining) this.findings.push(finding);
  }

  /** Returns whether another finding already covers a property. */
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

  /** Marks a property without a value as required. */
  requireValue(path: string): void {
    this.#required.add(path);
  }

  /**
   * Returns all findings. Required properties without a value become errors.
   */
  finalFindings(): Finding[] {
    return this.findings.map((finding) =>
      finding.code === "T05" && this.#required.has(finding.path)
        ? { ...finding, severity: "error" }
        : finding,
    );
  }

  /** Returns the properties at a general path; the root for an empty path. */
  instances(at: string): readonly PropertyInstance[] {
    return this.byGeneralPath.get(at) ?? [];
  }

  /**
   * Returns a member by its relative path, such as `serviceAccountPaths.udca`.
   */
  member(
    owner: PropertyInstance,
    relative: string,
  ): PropertyInstance | undefined {
    return this.properties.get(joinPaths(owner.path, relative));
  }

  /**
   * Returns the position for a finding about a missing property: the nearest
   * key above it.
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

/** Maximum number of path parts; deeper than each known path. */
const MAX_PARTS = 20;

/** Returns the ancestors of a path, except the root. */
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
