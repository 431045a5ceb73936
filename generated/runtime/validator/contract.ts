/* eslint-disable */
// biome-ignore-all lint: generated

/** Validation result: the typed value, or the errors. */
export type ValidationResult<T = unknown> =
  | { readonly valid: true; readonly value: T }
  | { readonly valid: false; readonly errors: readonly ValidationError[] };

/**
 * Validation result for a PATCH body, in which `null` clears a property at any
 * depth.
 */
export type PatchResult<T = unknown> = ValidationResult<PatchBody<T>>;

/** Body of a PATCH: properties can be missing, and `null` clears them. */
export type PatchBody<T> = T extends
  string | number | boolean | bigint | null | undefined | readonly unknown[]
  ? T
  : T extends object
    ? { [P in keyof T]?: PatchBody<T[P]> | null }
    : T;

/**
 * Validation error. It never contains the invalid value, which can be secret.
 */
export interface ValidationError {
  /** JSON pointer (RFC 6901) to the invalid value; empty for the root. */
  readonly pointer: string;
  readonly code: ValidationCode;
  /**
   * Human-readable message that does not include the pointer, such as "must be
   * a string".
   */
  readonly message: string;
  /** Type, format, limit or pattern that the value violates. */
  readonly expected?: string;
}

/** Error codes. */
export type ValidationCode =
  /** Incorrect JSON type. */
  | "type"
  /** Correct JSON type, but wrong format or out of the format's range. */
  | "format"
  /** Value that the enum does not list. */
  | "enum"
  | "minimum"
  | "maximum"
  | "pattern"
  /** Missing property. */
  | "required"
  /** Undeclared property. */
  | "unknown"
  /** Property that only the service sets; clients must not send it. */
  | "read-only"
  /** Value nested deeper than `maxDepth`, or cyclic; validation stopped. */
  | "too-deep"
  /**
   * More than ten million values, counting a shared object each time it is
   * referenced; validation stopped.
   */
  | "too-large"
  /**
   * Reading the value threw an error, for example in a getter; validation
   * stopped.
   */
  | "unreadable";

/** Validation options. */
export interface ValidationOptions {
  /**
   * Context of the value. Requests do not need fields that only the service
   * sets; see `readOnlyFields`. Default: `"response"`.
   */
  readonly mode?: "request" | "response";
  /**
   * ID of the called method. Set it to check fields that only some methods
   * require.
   */
  readonly method?: string;
  /** Ignores or rejects undeclared properties. Default: `"ignore"`. */
  readonly unknownFields?: "ignore" | "reject";
  /**
   * Ignores or rejects request fields that only the service sets. Default:
   * `"ignore"`.
   */
  readonly readOnlyFields?: "ignore" | "reject";
  /** True if enums accept unlisted values. Default: false. */
  readonly openEnums?: boolean;
  /**
   * True if properties can be missing, as in a response to a request with the
   * `fields` parameter. Default: false.
   */
  readonly partial?: boolean;
  /**
   * Accepts JSON integers for `int64` and `uint64` in addition to strings of
   * decimal digits; the JSON format of Protocol Buffers allows both. Set it to
   * `acceptInt64Numbers`, or to `convertInt64Numbers` to also replace the
   * integers by strings. Default: integers are errors.
   */
  readonly int64Numbers?: Int64Rule;
  /** Number of errors after which validation stops. Default: 100. */
  readonly maxErrors?: number;
  /** Maximum nesting depth of objects and arrays. Default: 100. */
  readonly maxDepth?: number;
}

/** Validator function, as exported by validators.ts. */
export type Validator<T> = (
  value: unknown,
  options?: ValidationOptions,
) => ValidationResult<T>;

/**
 * Function that returns true if it accepts a number for `int64` or `uint64`.
 * The option is a function so that bundles that do not use it exclude its code.
 */
export type Int64Rule = (
  run: Run,
  key: Key,
  value: unknown,
  expected: string,
) => boolean;

/**
 * Property name or array index of a value in its container; undefined for the
 * current value.
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
  /** Value that is validated, not the value at the current position. */
  root: unknown;
  maxErrors: number;
  maxDepth: number;
  /** Number of values that can be visited before validation stops. */
  budget: number;
  /**
   * Property names and array indices from the root to the current position.
   * Only the first `depth` entries are valid.
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
