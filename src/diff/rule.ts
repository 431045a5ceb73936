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

/** Old and new state of an object; one is absent if it was added or removed. */
export interface Pair<T> {
  readonly old: T | undefined;
  readonly new: T | undefined;
}

/** Method with the document that contains it. */
export type MethodPair = Pair<Method>;

/** Parameter of a method, or of all methods. */
export type ParameterPair = Pair<Parameter>;

/** Property of a schema. */
export type PropertyPair = Pair<Field>;

/** Schema with an id, or an inline object or enum. */
export interface SchemaPair extends Pair<Definition> {
  /** True if both schemas have the same id. */
  readonly isSameId: boolean;
}

/** Parameter, property, element or body with its type. */
export interface Value {
  readonly schema: Schema;
  readonly constraints: Constraints;
  /** Node of the document, for keywords that are not part of the model. */
  readonly raw: RawSchema;
}

/** Types of a value at the same position of both documents. */
export interface ValuePair {
  readonly old: Value;
  readonly new: Value;
  readonly where: "parameter" | "property" | "element" | "body";
}

/** Values of an enum at the same position of both documents. */
export interface EnumPair {
  readonly old: EnumState;
  readonly new: EnumState;
}

export interface EnumState {
  readonly values: readonly EnumValue[];
  /** True if other values are allowed (`x-open-enum`). */
  readonly isOpen: boolean;
  /** True if the generated type excludes other values. */
  readonly isClosedType: boolean;
}

/** Pairs of objects that rules compare, by subject of the rule. */
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

/** Difference that a rule found. */
export interface Finding {
  /**
   * Predicate of the message, whose subject is the object: `the type changed
   * from string to integer`.
   */
  readonly text: string;
  /**
   * Text that distinguishes several findings of a rule about one object; part
   * of the fingerprint.
   */
  readonly detail?: string | undefined;
  /** Severities that differ from those of the rule. */
  readonly verdict?: Partial<Readonly<Record<Audience, Severity>>> | undefined;
  /** Pointer relative to the object, such as `/enum`. */
  readonly below?: string | undefined;
}

/** Both documents, for rules that need more than the compared pair. */
export interface Documents {
  readonly old: Side;
  readonly new: Side;
}

/**
 * Severities of a change, or severities by use of the value in requests and
 * responses.
 */
export type Verdicts =
  | Verdict
  | {
      readonly request: Verdict;
      readonly response: Verdict;
      /**
       * Severities for values that only PATCH requests contain. Default: those
       * of `request`.
       */
      readonly patch?: Verdict;
    };

/** Rule that finds one kind of change. Each rule has a file in rules/. */
export interface Rule<S extends Subject = Subject> {
  /** Stable name: part of fingerprints. */
  readonly id: string;
  readonly on: S;
  readonly kind: Kind;
  /** Sentence for the table of rules. */
  readonly summary: string;
  /** Explanation of severities that are not obvious, for the table of rules. */
  readonly reason?: string;
  readonly verdict: Verdicts;
  find(
    pair: Subjects[S],
    documents: Documents,
  ): Finding | readonly Finding[] | undefined | false;
}
