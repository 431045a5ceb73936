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
  /** True if both versions of the schema have the same id. */
  readonly isSameId: boolean;
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
}

/**
 * Old and new values at the same position of two documents, with their types.
 */
export interface ValuePair {
  readonly old: Value;
  readonly new: Value;
  readonly where: "parameter" | "property" | "element" | "body";
}

/** Old and new enums at the same position of two documents. */
export interface EnumPair {
  readonly old: EnumState;
  readonly new: EnumState;
}

export interface EnumState {
  readonly values: readonly EnumValue[];
  /**
   * True if the enum also allows values that are not listed (`x-open-enum`).
   */
  readonly isOpen: boolean;
  /** True if the generated type allows only the listed values. */
  readonly isClosedType: boolean;
}

/**
 * Pairs of objects that rules compare, keyed by kind of object, such as
 * `method`.
 */
export interface Subjects {
  /** API that was added or removed. */
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
  /** JSON pointer relative to the object, such as `/enum`. */
  readonly below?: string | undefined;
}

/**
 * Both complete documents, for rules that need more than the pair of objects.
 */
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
       * Severities for values that occur only in PATCH requests. Default: the
       * value of `request`.
       */
      readonly patch?: Verdict;
    };

/** Rule that finds one kind of change. Each rule has its own file in rules/. */
export interface Rule<S extends Subject = Subject> {
  /**
   * Name of the rule. It must not change, because it is part of fingerprints.
   */
  readonly id: string;
  readonly on: S;
  readonly kind: Kind;
  /** Sentence that describes the change in the documentation. */
  readonly summary: string;
  /**
   * Explanation of the severities in the documentation, if they are not
   * obvious.
   */
  readonly reason?: string;
  readonly verdict: Verdicts;
  find(
    pair: Subjects[S],
    documents: Documents,
  ): Finding | readonly Finding[] | undefined | false;
}
