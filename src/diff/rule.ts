import type {
  Definition,
  EnumValue,
  Field,
  Method,
  Parameter,
  Schema,
  Api,
  Constraints,
} from "../model/ir.js";
import type { RawDocument, RawSchema } from "../load/raw.js";
import type { Side } from "./side.js";
import type { Audience, Kind, Severity, Verdict } from "./types.js";

/**
 * Old and new versions of an object; one is absent if the object was added or
 * removed.
 */
export interface Pair<T> {
  readonly old: T | undefined;
  readonly new: T | undefined;
}

/** Old and new versions of a method. */
export type MethodPair = Pair<Method>;

/**
 * Old and new versions of a parameter of a method, or of a common parameter.
 */
export type ParameterPair = Pair<Parameter>;

/** Old and new versions of a property of a schema. */
export type PropertyPair = Pair<Field>;

/**
 * Old and new versions of a definition: a schema with an id, an inline object,
 * or an enum.
 */
export interface SchemaPair extends Pair<Definition> {
  /** True if both schemas have the same id. */
  readonly isSameId: boolean;
}

/** Value of a parameter, property, list element or body, with its type. */
export interface Value {
  readonly schema: Schema;
  readonly constraints: Constraints;
  /** Schema in the document, for keywords that are not part of the model. */
  readonly raw: RawSchema;
}

/** Old and new types of a value at the same position. */
export interface ValuePair {
  readonly old: Value;
  readonly new: Value;
  readonly where: "parameter" | "property" | "element" | "body";
}

/** Old and new values of an enum at the same position. */
export interface EnumPair {
  readonly old: EnumState;
  readonly new: EnumState;
}

export interface EnumState {
  readonly values: readonly EnumValue[];
  /** True if values that are not listed are allowed (`x-open-enum`). */
  readonly isOpen: boolean;
  /** True if the generated type excludes values that are not listed. */
  readonly isClosedType: boolean;
}

/** Pairs of objects that rules compare, keyed by kind of object. */
export interface Subjects {
  /** API that only one of two sets of documents contains. */
  readonly document: Pair<RawDocument>;
  readonly api: { readonly old: Api; readonly new: Api };
  readonly method: MethodPair;
  readonly parameter: ParameterPair;
  readonly schema: SchemaPair;
  readonly property: PropertyPair;
  readonly value: ValuePair;
  readonly enum: EnumPair;
}

export type Subject = keyof Subjects;

/** Difference that a rule reports. */
export interface Finding {
  /**
   * Predicate of the message: `the type changed from string to integer`. The
   * name of the object is added before it.
   */
  readonly text: string;
  /**
   * Text that distinguishes several findings of the same rule about the same
   * object; part of the fingerprint.
   */
  readonly detail?: string | undefined;
  /** Severities that replace those of the rule. */
  readonly verdict?: Partial<Readonly<Record<Audience, Severity>>> | undefined;
  /** JSON pointer relative to the object, such as `/enum`. */
  readonly below?: string | undefined;
}

/** Both documents, for rules that need more than the compared pair. */
export interface Documents {
  readonly old: Side;
  readonly new: Side;
}

/**
 * Severities of a change, or separate severities for values in requests and in
 * responses.
 */
export type Verdicts =
  | Verdict
  | {
      readonly request: Verdict;
      readonly response: Verdict;
      /**
       * Severities for values that occur only in PATCH requests. Default: those
       * of `request`.
       */
      readonly patch?: Verdict;
    };

/** Rule that finds one kind of change. Each rule has its own file in rules/. */
export interface Rule<S extends Subject = Subject> {
  /** Stable name, which is part of fingerprints. */
  readonly id: string;
  readonly on: S;
  readonly kind: Kind;
  /** Sentence in the documentation's table of rules. */
  readonly summary: string;
  /**
   * Explanation of severities that are not obvious, in the documentation's
   * table of rules.
   */
  readonly reason?: string;
  readonly verdict: Verdicts;
  find(
    pair: Subjects[S],
    documents: Documents,
  ): Finding | readonly Finding[] | undefined | false;
}
