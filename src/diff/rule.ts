import type { RawDocument, RawSchema } from "../load/raw.js";
import type {
  Api,
  Constraints,
  Definition,
  EnumValue,
  Field,
  Method,
  Parameter,
  Schema,
} from "../model/ir.js";
import type { Side } from "./side.js";
import type {
  Audience,
  DetailedChange,
  Kind,
  Severity,
  Verdicts,
} from "./severity.js";

/**
 * Old and new versions of an object; one is absent if the object was added or
 * removed.
 */
export interface Pair<T> {
  readonly old: T | undefined;
  readonly new: T | undefined;
}

/** Value of a parameter, property, list element or body, with its type. */
export interface Value {
  readonly schema: Schema;
  readonly constraints: Constraints;
  /**
   * Schema as declared in the document, for keywords that the model does not
   * contain.
   */
  readonly raw: RawSchema;
  readonly where: "parameter" | "property" | "element" | "body";
}

/** Enum at a position of a document. */
export interface EnumState {
  readonly values: readonly EnumValue[];
  /**
   * True if the enum also allows values that are not listed (`x-open-enum`).
   */
  readonly isOpen: boolean;
  /** True if the generated type allows only the listed values. */
  readonly isClosedType: boolean;
}

/** Schema of a value, if the new document has a different one at its position. */
export interface Replacement {
  readonly id: string;
  /** Differences of the new schema from the old one. */
  readonly differences: readonly DetailedChange[];
}

/** Types of the objects that rules compare, keyed by kind of object. */
export interface Subjects {
  /** Document of an API that was added or removed. */
  readonly document: RawDocument;
  readonly api: Api;
  readonly method: Method;
  /** Parameter of a method, or common parameter. */
  readonly parameter: Parameter;
  /** Schema with an id, inline object, or enum. */
  readonly schema: Definition;
  readonly property: Field;
  readonly value: Value;
  /** Reference to a schema that became a reference to a different schema. */
  readonly replacement: Replacement;
  readonly enum: EnumState;
}

export type Subject = keyof Subjects;

/** Difference that a rule reports. */
export interface Finding {
  /**
   * Message without its subject, such as `the type changed from string to
   * integer`. The name of the changed object is added before it.
   */
  readonly text: string;
  /**
   * String that distinguishes several findings of the same rule about the same
   * object. It is part of the fingerprint.
   */
  readonly detail?: string | undefined;
  /** Severities that override those of the rule. */
  readonly verdict?: Partial<Readonly<Record<Audience, Severity>>> | undefined;
  /** JSON pointer relative to the object; default: `below` of the rule. */
  readonly below?: string | undefined;
}

/**
 * Both complete documents, for rules that need more than the pair of objects.
 */
export interface Documents {
  readonly old: Side;
  readonly new: Side;
}

/** Name, documentation and severities of a rule. */
export interface RuleHead {
  /**
   * Name of the rule. It must not change, because it is part of fingerprints.
   */
  readonly id: string;
  /** Sentence that describes the change in the documentation. */
  readonly summary: string;
  /**
   * Explanation of the severities in the documentation, if they are not
   * obvious.
   */
  readonly reason?: string;
  readonly verdict: Verdicts;
  /** JSON pointer relative to the object, such as `/enum`. */
  readonly below?: string;
}

/** Rule that finds one kind of change. */
export interface Rule<S extends Subject = Subject> extends RuleHead {
  readonly on: S;
  readonly kind: Kind;
  find(pair: Pair<Subjects[S]>, documents: Documents): readonly Finding[];
}

/** Findings, or the text of a finding that needs no other member. */
type Found = string | Finding | readonly Finding[] | false | undefined;

interface Definitions<T> {
  readonly added: RuleHead & {
    find(now: T, documents: Documents): Found;
  };
  readonly removed: RuleHead & {
    find(old: T, documents: Documents): Found;
  };
  readonly changed: RuleHead & {
    readonly kind?: Kind;
    find(old: T, now: T, documents: Documents): Found;
  };
}

/** Functions that define rules about one kind of object. */
export interface RulesAbout<S extends Subject> {
  /** Defines a rule about objects that only the new document contains. */
  added(rule: Definitions<Subjects[S]>["added"]): Rule<S>;
  /** Defines a rule about objects that only the old document contains. */
  removed(rule: Definitions<Subjects[S]>["removed"]): Rule<S>;
  /**
   * Defines a rule about objects that both documents contain. The default of
   * `kind` is `changed`.
   */
  changed(rule: Definitions<Subjects[S]>["changed"]): Rule<S>;
}

/** Returns functions that define rules about one kind of object. */
export function rulesAbout<S extends Subject>(on: S): RulesAbout<S> {
  return {
    added: (rule) => ({
      ...rule,
      on,
      kind: "added",
      find: ({ old, new: now }, documents) =>
        old === undefined && now !== undefined
          ? findingsOf(rule.find(now, documents))
          : [],
    }),
    removed: (rule) => ({
      ...rule,
      on,
      kind: "removed",
      find: ({ old, new: now }, documents) =>
        old !== undefined && now === undefined
          ? findingsOf(rule.find(old, documents))
          : [],
    }),
    changed: (rule) => ({
      kind: "changed",
      ...rule,
      on,
      find: ({ old, new: now }, documents) =>
        old !== undefined && now !== undefined
          ? findingsOf(rule.find(old, now, documents))
          : [],
    }),
  };
}

function findingsOf(found: Found): readonly Finding[] {
  if (found === undefined || found === false) return [];
  if (typeof found === "string") return [{ text: found }];
  return [found].flat();
}

/**
 * Returns the items of the first list whose keys do not occur in the second
 * list.
 */
export function missingItems<T>(
  from: readonly T[] = [],
  other: readonly T[] = [],
  keyOf: (item: T) => unknown = (item) => item,
): T[] {
  const keys = new Set(other.map(keyOf));
  return from.filter((item) => !keys.has(keyOf(item)));
}
