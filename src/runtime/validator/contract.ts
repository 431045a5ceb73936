/** Result of a validation: the typed value, or the errors. */
export type ValidationResult<T = unknown> =
  | { readonly valid: true; readonly value: T }
  | { readonly valid: false; readonly errors: readonly ValidationError[] };

/**
 * Result of validating a PATCH body, in which `null` clears a property at any
 * depth.
 */
export type PatchResult<T = unknown> = ValidationResult<PatchBody<T>>;

/** Body of a PATCH: properties can be missing, and `null` clears a property. */
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
  /** Human-readable message without the pointer, such as "must be a string". */
  readonly message: string;
  /** Type, format, limit or pattern that the value must match. */
  readonly expected?: string;
}

/** Code of a validation error. */
export type ValidationCode =
  /** The JSON type is incorrect. */
  | "type"
  /**
   * The JSON type is correct, but the format is invalid or the value is outside
   * of the format's range.
   */
  | "format"
  /** The enum does not list the value. */
  | "enum"
  /** The value matches no alternative of a union (`x-one-of`). */
  | "union"
  | "minimum"
  | "maximum"
  | "pattern"
  /** A required property is missing. */
  | "required"
  /** The property is not declared. */
  | "unknown"
  /** Clients must not send the property, because only the service sets it. */
  | "read-only"
  /**
   * The value is cyclic or nested deeper than `maxDepth`. Validation stopped.
   */
  | "too-deep"
  /**
   * The value contains more than ten million values. An object counts each
   * time it is referenced. Validation stopped.
   */
  | "too-large"
  /**
   * Reading the value threw an error, for example in a getter. Validation
   * stopped.
   */
  | "unreadable";

/** Validation options. */
export interface ValidationOptions {
  /**
   * Specifies whether the value is sent in a request or received in a response.
   * In requests, fields that only the service sets are not required; see
   * `readOnlyFields`. Default: `"response"`.
   */
  readonly mode?: "request" | "response";
  /**
   * ID of the called method. It is needed because some fields are required only
   * by certain methods.
   */
  readonly method?: string;
  /**
   * Specifies whether undeclared properties are ignored or reported. Default:
   * `"ignore"`.
   */
  readonly unknownFields?: "ignore" | "reject";
  /**
   * Specifies whether fields that only the service sets are ignored or reported
   * in requests. Default: `"ignore"`.
   */
  readonly readOnlyFields?: "ignore" | "reject";
  /** True to accept values that enums do not list. Default: false. */
  readonly openEnums?: boolean;
  /**
   * True to accept missing properties, as in a response to a request with the
   * parameter `fields`. Default: false.
   */
  readonly partial?: boolean;
  /**
   * Function that accepts JSON integers for `int64` and `uint64` in addition to
   * strings of decimal digits. The JSON format of Protocol Buffers allows both.
   * Use `acceptInt64Numbers`, or `convertInt64Numbers` to also replace the
   * integers with strings. Default: integers are errors.
   */
  readonly int64Numbers?: Int64Rule;
  /** Number of errors after which validation stops. Default: 100. */
  readonly maxErrors?: number;
  /** Maximum nesting depth of objects and arrays. Default: 100. */
  readonly maxDepth?: number;
}

/** Validator function that validators.ts exports. */
export type Validator<T> = (
  value: unknown,
  options?: ValidationOptions,
) => ValidationResult<T>;

/**
 * Function that returns true if it accepts a number for `int64` or `uint64`.
 * This option is a function instead of a flag, so that a bundle contains its
 * code only if the program uses the option.
 */
export type Int64Rule = (
  run: Run,
  key: Key,
  value: unknown,
  expected: string,
) => boolean;

/**
 * Property name or array index of a value within its parent object or array;
 * undefined for the current value.
 */
export type Key = string | number | undefined;

/** State of one validation: options, current position, and errors. */
export interface Run {
  isRequest: boolean;
  method: string | undefined;
  isPartial: boolean;
  opensEnums: boolean;
  rejectsReadOnly: boolean;
  rejectsUnknown: boolean;
  /** True if `null` is accepted for every property, as in a PATCH. */
  allowsNull: boolean;
  /**
   * True while an alternative of a union is tested. Errors are then discarded,
   * and the value must not be changed. Absent means false.
   */
  isProbing?: boolean;
  /**
   * Results of tested alternatives: for each object or array, true for the
   * check functions that found no errors.
   */
  probes?: Map<object, Map<Check, boolean>> | undefined;
  int64Numbers: Int64Rule | undefined;
  /**
   * Complete value that is being validated. The value at the current position
   * is a part of the complete value.
   */
  root: unknown;
  maxErrors: number;
  maxDepth: number;
  /** Number of values that can still be visited before validation stops. */
  budget: number;
  /**
   * Path from the root to the current position, as property names and array
   * indices. Only the first `depth` entries are valid.
   */
  readonly path: (string | number)[];
  depth: number;
  errors: ValidationError[];
}

/**
 * Function that checks the current value.
 *
 * @returns true if validation must stop because `maxErrors` is reached.
 */
export type Check = (value: unknown, run: Run) => boolean;
