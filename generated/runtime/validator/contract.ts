/* eslint-disable */
// biome-ignore-all lint: generated

/** Result of a validation: the typed value, or the errors. */
export type ValidationResult<T = unknown> =
  | { readonly valid: true; readonly value: T }
  | { readonly valid: false; readonly errors: readonly ValidationError[] };

/**
 * Result for the body of a PATCH, in which `null` clears a property at any
 * depth.
 */
export type PatchResult<T = unknown> = ValidationResult<PatchBody<T>>;

type PatchBody<T> = T extends
  string | number | boolean | bigint | null | undefined | readonly unknown[]
  ? T
  : T extends object
    ? { [P in keyof T]?: PatchBody<T[P]> | null }
    : T;

/** Validation error. It never contains the value, which may be secret. */
export interface ValidationError {
  /** JSON pointer (RFC 6901) to the invalid value; empty for the root. */
  readonly pointer: string;
  readonly code: ValidationCode;
  /** Message for people without the pointer: "must be a string". */
  readonly message: string;
  /** Type, format, limit or pattern that the value violates. */
  readonly expected?: string;
}

/** Classes of errors. */
export type ValidationCode =
  /** Wrong JSON type. */
  | "type"
  /** Right type, but wrong format or out of range. */
  | "format"
  /** Not one of the listed values. */
  | "enum"
  | "minimum"
  | "maximum"
  | "pattern"
  /** Missing property. */
  | "required"
  /** Undeclared property. */
  | "unknown"
  /** Property that only the service sets. */
  | "read-only"
  /** Nested deeper than `maxDepth`, or cyclic; validation stopped. */
  | "too-deep"
  /**
   * More than ten million values, counting shared ones repeatedly; validation
   * stopped.
   */
  | "too-large"
  /** Reading the value threw, for example in a getter; validation stopped. */
  | "unreadable";

/** Options of a validation. */
export interface ValidationOptions {
  /**
   * Context of the value. In a request, fields that only the service sets are
   * not checked, see `readOnlyFields`. Default: `"response"`.
   */
  readonly mode?: "request" | "response";
  /** ID of the called method; some methods require additional fields. */
  readonly method?: string;
  /** Handling of undeclared properties. Default: `"ignore"`. */
  readonly unknownFields?: "ignore" | "reject";
  /**
   * Handling of fields in a request that only the service sets. Default:
   * `"ignore"`.
   */
  readonly readOnlyFields?: "ignore" | "reject";
  /** True if enums accept unlisted values. Default: false. */
  readonly openEnums?: boolean;
  /**
   * True if properties may be missing, as in a response to `fields`. Default:
   * false.
   */
  readonly partial?: boolean;
  /**
   * Accepts integers for `int64` and `uint64`, which are strings of decimal
   * digits; the JSON format of Protocol Buffers allows both. One of
   * `acceptInt64Numbers` and `convertInt64Numbers`, which replaces them by
   * strings. Default: integers are errors.
   */
  readonly int64Numbers?: Int64Rule;
  /** Number of errors after which validation stops. Default: 100. */
  readonly maxErrors?: number;
  /** Nesting limit of objects and arrays. Default: 100. */
  readonly maxDepth?: number;
}

/** Validator function of validators.ts. */
export type Validator<T> = (
  value: unknown,
  options?: ValidationOptions,
) => ValidationResult<T>;

/**
 * Returns true if a number is accepted for `int64` or `uint64`. It is a
 * function so that bundles without the feature do not contain its code.
 */
export type Int64Rule = (
  run: Run,
  key: Key,
  value: unknown,
  expected: string,
) => boolean;

/**
 * Name or index of a value in its container; undefined for the current value.
 */
export type Key = string | number | undefined;

/** State of one validation: options, current position, errors. */
export interface Run {
  isRequest: boolean;
  method: string | undefined;
  isPartial: boolean;
  opensEnums: boolean;
  rejectsReadOnly: boolean;
  rejectsUnknown: boolean;
  /** True if `null` is accepted for any property, as in a PATCH. */
  allowsNull: boolean;
  int64Numbers: Int64Rule | undefined;
  /** Root of the validated value. */
  root: unknown;
  maxErrors: number;
  maxDepth: number;
  /** Number of values that may still be visited. */
  budget: number;
  /**
   * Names and indices from the root; only the first `depth` entries are valid.
   */
  readonly path: (string | number)[];
  depth: number;
  errors: ValidationError[];
}

/**
 * Checks the current value.
 *
 * @returns true if validation must stop because `maxErrors` is reached.
 */
export type Check = (value: unknown, run: Run) => boolean;
