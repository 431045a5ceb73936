import type { Severity } from "../../diagnostics/types.js";
import type { Lines } from "../document/lines.js";
import type { Node, Range } from "../document/tree.js";
import type { Finding } from "../finding.js";
import type { Property } from "../schema/load.js";
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

  constructor(lines: Lines, options: CheckOptions) {
    this.lines = lines;
    this.options = options;
  }

  report(
    code: string,
    at: Range,
    path: string,
    message: string,
    extra: { suggestion?: string; severity?: Severity } = {},
  ): void {
    const { suggestion, severity = catalogue[code]!.severity } = extra;
    this.findings.push({
      code,
      severity,
      offset: at.start,
      length: Math.max(1, at.end - at.start),
      path,
      message,
      ...(suggestion === undefined ? {} : { suggestion }),
    });
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
  }

  /** A value was found elsewhere: that its block is empty now needs no finding of its own. */
  dropEmptied(): void {
    const isEmptied = ({ code, path }: Finding): boolean =>
      code === "T05" &&
      [...this.#explained].some((explained) => isBelow(explained, path));
    const kept = this.findings.filter((finding) => !isEmptied(finding));
    this.findings.splice(0, this.findings.length, ...kept);
  }

  /** Whether a finding about a property would say again what another one says. */
  isExplained(path: string): boolean {
    const general = path.replace(/\[\d+\]/g, "[]");
    for (const own of this.#explained) {
      if (own === path || own === general) return true;
      if (isBelow(own, path) || isBelow(path, own)) return true;
      if (isBelow(own, general) || isBelow(general, own)) return true;
    }
    return false;
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

function isBelow(path: string, above: string): boolean {
  return (
    above !== "" &&
    path.startsWith(above) &&
    (path[above.length] === "." || path[above.length] === "[")
  );
}

/** A path with another one behind it. */
export function join(path: string, relative: string): string {
  if (path === "") return relative;
  return relative === "" ? path : `${path}.${relative}`;
}
