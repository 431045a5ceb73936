import { suggestion } from "../diagnostics/closest.js";
import { Sink } from "../diagnostics/sink.js";
import { escapeToken, type Diagnostic } from "../diagnostics/types.js";
import type {
  AcceptedChange,
  DiffSection,
  FailOn,
} from "../config/gen-config.js";
import { rules } from "./rules/index.js";
import {
  AUDIENCES,
  bumpOf,
  isUsed,
  mostSevereFirst,
  SEVERITIES,
  type Audience,
  type DetailedChange,
  type DiffResult,
  type Severity,
} from "./severity.js";

/** Settings of a policy besides those of the config. */
export interface PolicyOptions {
  /** Audiences whose severities count. Default: all. */
  readonly audiences?: readonly Audience[] | undefined;
  /** Takes precedence over `failOn` of the config. */
  readonly failOn?: FailOn | undefined;
  /** Name of the config file in messages. */
  readonly file?: string | undefined;
  /** Current date, such as `2026-01-31`. Default: the date in UTC. */
  readonly today?: string | undefined;
}

/**
 * Policy about changes: severities of rules, accepted changes, and changes that
 * fail a comparison (section `diff` of the config).
 */
export class DiffPolicy {
  readonly #section: DiffSection;
  readonly #options: PolicyOptions;
  readonly #audiences: readonly Audience[];
  readonly #today: string;
  readonly #comparedApis = new Set<string>();
  readonly #used = new Set<AcceptedChange>();

  constructor(section: DiffSection = {}, options: PolicyOptions = {}) {
    this.#section = section;
    this.#options = options;
    this.#audiences = options.audiences ?? AUDIENCES;
    this.#today = options.today ?? new Date().toISOString().slice(0, 10);
  }

  /**
   * Returns a comparison in which changes have the severities of the policy.
   * Severities for other audiences, and those of accepted changes, are `info`.
   */
  apply(result: DiffResult<DetailedChange>): DiffResult<DetailedChange> {
    this.#comparedApis.add(result.api);
    const changes = mostSevereFirst(
      result.changes.flatMap((change) => this.#judge(change, result.api)),
    );
    return { ...result, changes, bump: bumpOf(changes) };
  }

  /** Tests whether a change fails the comparison. */
  fails(change: DetailedChange): boolean {
    if (change.accepted !== undefined) return false;
    return this.#audiences.some((audience) => {
      const level = this.#failOn(audience);
      if (level === "none") return false;
      if (level === "used")
        // Without --uses, it is unknown what the code uses.
        return (
          change[audience] === "breaking" &&
          (change.usedAt === undefined || isUsed(change))
        );
      return level === "any" || isAtLeast(change[audience], level);
    });
  }

  /**
   * Returns findings about the policy: unknown rules, accepted changes that have
   * expired, and those that do not occur. Call this after `apply` has been
   * called for all APIs.
   */
  diagnostics(): readonly Diagnostic[] {
    const sink = new Sink(this.#options.file);
    for (const name of Object.keys(this.#section.rules ?? {}))
      reportUnknown(name, `/diff/rules/${escapeToken(name)}`, sink);
    for (const [index, entry] of (this.#section.accept ?? []).entries()) {
      const at = `/diff/accept/${index}`;
      reportUnknown(entry.rule, `${at}/rule`, sink);
      const subject = `${entry.rule} at ${entry.at} in ${entry.api}`;
      if (this.#hasExpired(entry))
        sink.report(
          "diff-accept-expired",
          `${subject} was accepted until ${entry.until}`,
          at,
        );
      else if (this.#comparedApis.has(entry.api) && !this.#used.has(entry))
        sink.report("diff-accept-unused", `no change is ${subject}`, at);
    }
    return sink.diagnostics;
  }

  #judge(change: DetailedChange, api: string): readonly DetailedChange[] {
    const level = this.#section.rules?.[change.rule];
    if (level === "none") return [];
    const accepted = this.#acceptedBy(change, api);
    const severityOf = (audience: Audience): Severity =>
      accepted !== undefined || !this.#audiences.includes(audience)
        ? "info"
        : (level ?? change[audience]);
    return [
      {
        ...change,
        client: severityOf("client"),
        server: severityOf("server"),
        types: severityOf("types"),
        ...(accepted === undefined ? {} : { accepted }),
      },
    ];
  }

  #acceptedBy(change: DetailedChange, api: string): AcceptedChange | undefined {
    const found = this.#section.accept?.find(
      (entry) =>
        entry.api === api &&
        entry.rule === change.rule &&
        entry.at === change.label &&
        !this.#hasExpired(entry),
    );
    if (found !== undefined) this.#used.add(found);
    return found;
  }

  #hasExpired({ until }: AcceptedChange): boolean {
    return until !== undefined && until < this.#today;
  }

  #failOn(audience: Audience): FailOn {
    const { failOn } = this.#options;
    if (failOn !== undefined) return failOn;
    const configured = this.#section.failOn;
    return typeof configured === "object"
      ? (configured[audience] ?? "none")
      : (configured ?? "breaking");
  }
}

function isAtLeast(
  severity: Severity,
  lowest: "breaking" | "warning",
): boolean {
  return SEVERITIES.indexOf(severity) <= SEVERITIES.indexOf(lowest);
}

function reportUnknown(name: string, pointer: string, sink: Sink): void {
  const names = rules.map(({ id }) => id);
  if (names.includes(name)) return;
  sink.report(
    "config-value",
    `${JSON.stringify(name.slice(0, 80))} must be a rule of gen diff${suggestion(name, names)}`,
    pointer,
  );
}

/** Formats why a change is accepted: `replaced (storage team, until 2027-01-31)`. */
export function acceptanceWords({
  reason,
  owner,
  until,
}: AcceptedChange): string {
  const details = [
    ...(owner === undefined ? [] : [owner]),
    ...(until === undefined ? [] : [`until ${until}`]),
  ];
  return details.length === 0 ? reason : `${reason} (${details.join(", ")})`;
}
