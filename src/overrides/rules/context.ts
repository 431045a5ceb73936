import type { Severity } from "../../diagnostics/types.js";
import type { Lines } from "../document/lines.js";
import type { Node, Range } from "../document/tree.js";
import type { Finding } from "../finding.js";
import { redactCredentials } from "../redact.js";
import type { Property } from "../schema/property-index.js";
import { catalogue } from "./catalogue.js";

/** What a file is checked for. */
export interface CheckOptions {
  /** The target as it is typed, `1.3.6`. */
  readonly target: string;
  /** The version that it stands for. */
  readonly version: string;
  readonly mode?: "prod" | "demo";
  readonly phase?: "install" | "final";
  readonly isStrict: boolean;
  /** Whether a file exists; absent where files are not looked at. */
  readonly fileExists?: (path: string) => boolean;
}

/** A property that the file has. */
export interface Found {
  /** `virtualhosts[0].name`. */
  readonly path: string;
  readonly property: Property;
  readonly node: Node;
  /** The key; the beginning of the value for an element of a list. */
  readonly keyRange: Range;
}

/** Findings that are kept of a file; more would only cost memory. */
const MOST_FINDINGS = 20_000;

/** What rules see of a file, and where they report. */
export class Context {
  readonly findings: Finding[] = [];
  readonly options: CheckOptions;
  readonly lines: Lines;
  /** Properties by path, under the names that they should have. */
  readonly found = new Map<string, Found>();
  /** Properties by general path, `envs[].name`. */
  readonly byGeneral = new Map<string, Found[]>();
  /** Properties that the target does not know any more, by path. */
  readonly gone = new Map<string, Found>();
  readonly #explained = new Set<string>();
  /** All that `#explained` lies below. */
  readonly #aboveExplained = new Set<string>();

  /** Properties that have to have a value, by path. */
  readonly #required = new Set<string>();
  #more = 0;
  #hasMoreErrors = false;

  constructor(lines: Lines, options: CheckOptions) {
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
      isModal?: boolean;
    } = {},
  ): void {
    const { suggestion, severity = catalogue[code]!.severity } = extra;
    if (this.findings.length >= MOST_FINDINGS) {
      this.#more++;
      this.#hasMoreErrors ||= severity === "error";
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
      ...(extra.isModal === true ? { isModal: true } : {}),
    });
  }

  /** Findings beyond the limit, and whether an error is among them. */
  get more(): { readonly count: number; readonly hasErrors: boolean } {
    return { count: this.#more, hasErrors: this.#hasMoreErrors };
  }

  /** The limit is reached and the file is invalid: further rules would add nothing that is shown. */
  get isDecided(): boolean {
    return (
      this.findings.length >= MOST_FINDINGS &&
      (this.#hasMoreErrors ||
        this.findings.some(({ severity }) => severity === "error"))
    );
  }

  note(general: string, found: Found): void {
    this.found.set(found.path, found);
    const others = this.byGeneral.get(general);
    if (others === undefined) this.byGeneral.set(general, [found]);
    else others.push(found);
  }

  /** A finding says already what is wrong with a property; `[]` means all elements. */
  explain(path: string): void {
    this.#explained.add(path);
    for (const above of pathsAbove(path)) this.#aboveExplained.add(above);
  }

  /** A value was found elsewhere: that its block is empty now needs no finding of its own. */
  dropEmptied(): void {
    const kept = this.findings.filter(
      ({ code, path }) => code !== "T05" || !this.#aboveExplained.has(path),
    );
    this.findings.length = 0;
    for (const finding of kept) this.findings.push(finding);
  }

  /** Whether a finding about a property would say again what another one says. */
  isExplained(path: string): boolean {
    return this.#explains(path) || this.#explains(generalOf(path));
  }

  #explains(path: string): boolean {
    return (
      this.#explained.has(path) ||
      this.#aboveExplained.has(path) ||
      pathsAbove(path).some((above) => this.#explained.has(above))
    );
  }

  /** Notes that a property without a value is required. */
  requireValue(path: string): void {
    this.#required.add(path);
  }

  /** All findings; those about required properties without a value are errors. */
  settled(): Finding[] {
    return this.findings.map((finding) =>
      finding.code === "T05" && this.#required.has(finding.path)
        ? { ...finding, severity: "error" }
        : finding,
    );
  }

  /** The properties that a rule's `at` means; the whole file for the empty path. */
  instances(at: string): readonly Found[] {
    return this.byGeneral.get(at) ?? [];
  }

  /** A property below another one; `serviceAccountPaths.udca`. */
  below(owner: Found, relative: string): Found | undefined {
    return this.found.get(join(owner.path, relative));
  }

  /** Where to report that something is not there: the nearest key above it. */
  nearest(owner: string, relative: string): Range {
    const parts = join(owner, relative).split(".");
    while (parts.length > 0) {
      const found = this.found.get(parts.join("."));
      if (found !== undefined && found.path !== "") return found.keyRange;
      const last = parts.pop()!;
      const element = last.endsWith("]") ? last.replace(/\[\d+\]$/, "") : "";
      if (element !== "" && element !== last) parts.push(element);
    }
    return { start: 0, end: 1 };
  }
}

/** Parts of a path that are looked at; the table is less deep. */
const MOST_PARTS = 20;

/** The paths that a path lies below, without the empty one. */
function pathsAbove(path: string): string[] {
  const above: string[] = [];
  for (let at = 1; at < path.length && above.length < MOST_PARTS; at++)
    if (path[at] === "." || path[at] === "[") above.push(path.slice(0, at));
  return above;
}

function generalOf(path: string): string {
  return path.includes("[") ? path.replace(/\[\d+\]/g, "[]") : path;
}

/** A path with another one behind it. */
export function join(path: string, relative: string): string {
  if (path === "") return relative;
  return relative === "" ? path : `${path}.${relative}`;
}
