import { resolvePointer } from "../diagnostics/types.js";
import type { Definition } from "../model/ir.js";
import { Users } from "./users.js";
import { DefinitionPairs } from "./walk/definition-pairs.js";
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
  mostSevereFirst,
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
  /** Id of the method in the old document. */
  readonly oldMethod?: string | undefined;
  readonly schema?: string | undefined;
  /** Id of the schema in the new document, if it exists there. */
  readonly newSchema?: string | undefined;
  readonly property?: string | undefined;
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
}

/** Rules about names of generated types. */
const NAME_RULES = new Set([
  "schema-renamed",
  "type-name-changed",
  "input-type-removed",
]);

/** Runs rules on compared objects and collects their findings as changes. */
export class Collector {
  readonly #changes = new Map<string, DetailedChange>();
  readonly #isLowered: boolean;
  readonly #users: { readonly old: Users; readonly new: Users };
  /** Results of `differencesOf`. */
  readonly #differences: Map<string, readonly DetailedChange[]>;

  /** @param parent collector of the same documents, to share its results */
  constructor(
    readonly documents: Documents,
    readonly pairs: DefinitionPairs,
    readonly options: DiffOptions,
    parent?: Collector,
  ) {
    const { stability = "alpha" } = options;
    this.#isLowered = isLessStable(documents.new.api.version, stability);
    if (parent === undefined) {
      this.#users = {
        old: new Users(documents.old),
        new: new Users(documents.new),
      };
      this.#differences = new Map();
    } else {
      this.#users = parent.#users;
      this.#differences = parent.#differences;
    }
  }

  /**
   * Returns the differences of a definition from another that it replaces, most
   * severe first. Differences of names and descriptions do not count.
   */
  differencesOf(
    old: Definition,
    now: Definition,
    directions: Directions,
    visitPairs: (pairs: DefinitionPairs, collector: Collector) => void,
  ): readonly DetailedChange[] {
    const key = JSON.stringify([old.id, now.id, directions]);
    const known = this.#differences.get(key);
    if (known !== undefined) return known;
    // A schema that contains itself is compared once.
    this.#differences.set(key, []);
    const { documents, options } = this;
    const pairs = DefinitionPairs.ofReplacement(
      documents,
      old,
      now,
      directions,
    );
    const collector = new Collector(documents, pairs, options, this);
    visitPairs(pairs, collector);
    const differences = mostSevereFirst(
      collector.changes.filter(
        ({ rule, kind }) => kind !== "text" && !NAME_RULES.has(rule),
      ),
    );
    this.#differences.set(key, differences);
    return differences;
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
    const { pointers } = site;
    this.#changes.set(fingerprint, {
      rule: id,
      fingerprint,
      ...severities,
      ...namesOf(site),
      ...this.#positionOf(finding.below ?? rule.below ?? "", site),
      ...(pointers.old === undefined ? {} : { oldPointer: pointers.old }),
      ...(pointers.new === undefined ? {} : { newPointer: pointers.new }),
      ...this.#usersOf(site),
      message: `${site.label}: ${finding.text}`,
      label: site.label,
      text: finding.text,
      detail: finding.detail,
      kind,
    });
  }

  #usersOf({
    schema,
    newSchema,
    pointers,
  }: ComparedObject): Pick<DetailedChange, "users"> {
    if (schema === undefined) return {};
    return newSchema === undefined || pointers.new === undefined
      ? { users: this.#users.old.of(schema) }
      : { users: this.#users.new.of(newSchema) };
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

/** Returns the names of a changed object that the JSON report contains. */
function namesOf({
  method,
  oldMethod,
  schema,
  property,
}: ComparedObject): Partial<DetailedChange> {
  return {
    ...(method === undefined ? {} : { method }),
    ...(oldMethod === undefined || oldMethod === method ? {} : { oldMethod }),
    ...(schema === undefined ? {} : { schema }),
    ...(property === undefined ? {} : { property }),
  };
}
