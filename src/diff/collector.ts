import { resolvePointer } from "../diagnostics/types.js";
import { fingerprintOf } from "./words.js";
import type {
  Documents,
  Finding,
  Pair,
  Rule,
  Subject,
  Subjects,
} from "./rule.js";
import { rulesOn } from "./rules/index.js";
import {
  isLessStable,
  severitiesOf,
  withoutBreaking,
  type DetailedChange,
  type DiffOptions,
  type Directions,
} from "./severity.js";

/**
 * Location of a compared object in both documents, and its use in requests and
 * responses.
 */
export interface ComparedObject {
  /**
   * Name of the object in messages, such as `shelf.books.get` or `Book.title`.
   */
  readonly label: string;
  /** Key that identifies the object in fingerprints. */
  readonly key: string;
  readonly method?: string | undefined;
  readonly schema?: string | undefined;
  /**
   * JSON pointers to the object in both documents; one is absent if the object
   * was added or removed.
   */
  readonly pointers: Pair<string>;
  readonly directions: Directions;
  /**
   * True if differences between the two versions of the object affect only
   * generated types, not requests and responses.
   */
  readonly isTypeOnly?: boolean | undefined;
  readonly usedBy?: string | undefined;
}

/** Runs rules on compared objects and collects their findings as changes. */
export class Collector {
  readonly #changes = new Map<string, DetailedChange>();
  readonly #isLowered: boolean;

  constructor(
    readonly documents: Documents,
    { stability = "alpha" }: DiffOptions,
  ) {
    this.#isLowered = isLessStable(documents.new.api.version, stability);
  }

  get changes(): readonly DetailedChange[] {
    return [...this.#changes.values()];
  }

  /** Runs the rules that apply to a kind of object. */
  visit<S extends Subject>(
    subject: S,
    pair: Pair<Subjects[S]>,
    site: ComparedObject,
  ): void {
    for (const rule of rulesOn(subject)) {
      if (rule.id === "other-changed" && this.#changes.size > 0) continue;
      for (const finding of rule.find(pair, this.documents))
        this.#add(rule as Rule, finding, site);
    }
  }

  #add(rule: Rule, finding: Finding, site: ComparedObject): void {
    const { id, kind, verdict } = rule;
    const { api } = this.documents.new;
    const words = [api.id, id, site.key, finding.detail ?? ""];
    const fingerprint = fingerprintOf(...words);
    if (this.#changes.has(fingerprint)) return;
    let severities = severitiesOf(verdict, finding, site.directions);
    if (site.isTypeOnly === true)
      severities = { ...severities, client: "info", server: "info" };
    if (this.#isLowered) severities = withoutBreaking(severities);
    const { method, schema, usedBy } = site;
    this.#changes.set(fingerprint, {
      rule: id,
      fingerprint,
      ...severities,
      ...(method === undefined ? {} : { method }),
      ...(schema === undefined ? {} : { schema }),
      ...this.#positionOf(finding.below ?? rule.below ?? "", site),
      message: `${site.label}: ${finding.text}`,
      label: site.label,
      text: finding.text,
      kind,
      ...(usedBy === undefined ? {} : { usedBy }),
    });
  }

  /**
   * Returns the most specific pointer that exists, preferably in the new
   * document.
   */
  #positionOf(
    below: string,
    { pointers }: ComparedObject,
  ): Pick<DetailedChange, "pointer" | "side"> {
    const exists = (side: "old" | "new"): boolean =>
      pointers[side] !== undefined &&
      resolvePointer(this.documents[side].document, pointers[side] + below) !==
        undefined;
    for (const side of ["new", "old"] as const)
      if (exists(side)) return { pointer: pointers[side] + below, side };
    return pointers.new === undefined
      ? { pointer: pointers.old ?? "", side: "old" }
      : { pointer: pointers.new, side: "new" };
  }
}
