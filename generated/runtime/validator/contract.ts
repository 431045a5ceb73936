/* eslint-disable */
// biome-ignore-all lint: generated

/** What a validation says: the value as the schema's type, or why it is not one. */
export type ValidationResult<T = unknown> =
  | { readonly valid: true; readonly value: T }
  | { readonly valid: false; readonly errors: readonly ValidationError[] };

/** The result for the body of a PATCH: at any depth `null` clears a property. */
export type PatchResult<T = unknown> = ValidationResult<PatchBody<T>>;

type PatchBody<T> = T extends
  string | number | boolean | bigint | null | undefined | readonly unknown[]
  ? T
  : T extends object
    ? { [P in keyof T]?: PatchBody<T[P]> | null }
    : T;

/** One thing that is wrong. Says nothing of the value, which may be secret. */
export interface ValidationError {
  /** JSON pointer (RFC 6901) into the value; empty for the value itself. */
  readonly pointer: string;
  readonly code: ValidationCode;
  /** For people, without the pointer: "must be a string". */
  readonly message: string;
  /** A type, format, limit or pattern, where one was not met. */
  readonly expected?: string;
}

/** The classes of errors. */
export type ValidationCode =
  /** A value of another JSON type. */
  | "type"
  /** Text or number of the right type in another form or out of range. */
  | "format"
  /** Not one of the listed values. */
  | "enum"
  | "minimum"
  | "maximum"
  | "pattern"
  /** A property is missing. */
  | "required"
  /** A property that the schema does not declare. */
  | "unknown"
  /** A property that only the service sets. */
  | "read-only"
  /** Deeper than `maxDepth`, or a cycle; nothing else was checked. */
  | "too-deep"
  /** More than ten million values, or shared ones; nothing else was checked. */
  | "too-large"
  /** Reading it threw, as a getter may; nothing else was checked. */
  | "unreadable";

/** How strict a validation is. */
export interface ValidationOptions {
  /**
   * What the value is part of. In a request, fields that only the service sets
   * are not checked, see `readOnlyFields`. Default: `"response"`.
   */
  readonly mode?: "request" | "response";
  /** Id of the method that is called: some need more fields than others. */
  readonly method?: string;
  /** Properties that the schema does not declare. Default: `"ignore"`. */
  readonly unknownFields?: "ignore" | "reject";
  /** In a request, fields that only the service sets. Default: `"ignore"`. */
  readonly readOnlyFields?: "ignore" | "reject";
  /** Whether enums may have values beyond the listed ones. Default: false. */
  readonly openEnums?: boolean;
  /** Whether properties may be missing: an answer to `fields`. Default: false. */
  readonly partial?: boolean;
  /**
   * Allows whole numbers in the place of `int64` and `uint64`, which are decimal
   * digits in a string; the JSON form of Protocol Buffers takes both:
   * `acceptInt64Numbers`, or `convertInt64Numbers`, which replaces them. Default: refused.
   */
  readonly int64Numbers?: Int64Rule;
  /** Errors after which checking ends. Default: 100. */
  readonly maxErrors?: number;
  /** Levels of objects and arrays. Default: 100. */
  readonly maxDepth?: number;
}

/** A function of validators.ts. */
export type Validator<T> = (
  value: unknown,
  options?: ValidationOptions,
) => ValidationResult<T>;

/**
 * Decides whether a value may be in the place of the digits of a 64-bit integer,
 * `int64` or `uint64`; a function, so that only those who want it have it in their bundle.
 */
export type Int64Rule = (
  run: Run,
  key: Key,
  value: unknown,
  expected: string,
) => boolean;

/** The name or index of a value within another; undefined: where the run is. */
export type Key = string | number | undefined;

/** One validation: what it was asked, where it is, what it found. */
export interface Run {
  isRequest: boolean;
  method: string | undefined;
  isPartial: boolean;
  opensEnums: boolean;
  rejectsReadOnly: boolean;
  rejectsUnknown: boolean;
  /** Whether `null` is a value of any property, as in a PATCH. */
  allowsNull: boolean;
  int64Numbers: Int64Rule | undefined;
  /** The whole value. */
  root: unknown;
  maxErrors: number;
  maxDepth: number;
  /** Values that may still be entered. */
  remainingValues: number;
  /** Names and indices of the values around; only the first `depth` count. */
  readonly path: (string | number)[];
  depth: number;
  errors: ValidationError[];
}

/**
 * Checks a value where the run is.
 *
 * @returns whether to stop: there are as many errors as were asked for.
 */
export type Check = (value: unknown, run: Run) => boolean;
