/* eslint-disable */
// biome-ignore-all lint: generated

// Types of Standard Schema, version 1. Many libraries accept schemas that
// implement these interfaces (https://standardschema.dev).

import type { PatchBody, ValidationError } from "./contract.js";

/** Schema that other libraries accept. */
export interface StandardSchema<T = unknown> {
  readonly "~standard": StandardProperties<T>;
}

/** Schema of a PATCH body, in which `null` clears a property at any depth. */
export type StandardPatch<T = unknown> = StandardSchema<PatchBody<T>>;

/** Properties that Standard Schema defines. */
export interface StandardProperties<T> {
  readonly version: 1;
  readonly vendor: string;
  /** Validates a value with the default options. Never throws. */
  readonly validate: (value: unknown) => StandardResult<T>;
  /**
   * Types of the value before and after validation. This member does not exist
   * at run time.
   */
  readonly types?: { readonly input: T; readonly output: T } | undefined;
}

/** Result of a validation: the value, or a list of errors. */
export type StandardResult<T> =
  | { readonly value: T; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

/** Validation error in the form of Standard Schema. */
export interface StandardIssue {
  /** Message that does not contain the value, such as "must be a string". */
  readonly message: string;
  /** Property names and array indices from the root to the invalid value. */
  readonly path: readonly PropertyKey[];
}

/** Validator with errors that have at least a message and a pointer. */
type StandardValidator<T> = (value: unknown) =>
  | { readonly valid: true; readonly value: T }
  | {
      readonly valid: false;
      readonly errors: readonly Pick<ValidationError, "message" | "pointer">[];
    };

/** Returns a Standard Schema that uses a validator. */
export function standard<T>(
  validator: StandardValidator<T>,
): StandardSchema<T> {
  return {
    "~standard": {
      version: 1,
      vendor: "discovery-codegen",
      validate: (value) => {
        const result = validator(value);
        // The `in` operator narrows the type even in programs that are not
        // compiled with `strict`.
        return "errors" in result
          ? { issues: result.errors.map((error) => issueOf(error, value)) }
          : { value: result.value };
      },
    },
  };
}

function issueOf(
  { message, pointer }: Pick<ValidationError, "message" | "pointer">,
  root: unknown,
): StandardIssue {
  const tokens = pointer
    .split("/")
    .slice(1)
    .map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"));
  return { message, path: pathOf(tokens, root) };
}

/**
 * Returns the path for JSON pointer tokens. Array indices are converted to
 * numbers.
 */
function pathOf(tokens: readonly string[], root: unknown): PropertyKey[] {
  const path: PropertyKey[] = [];
  let value = root;
  for (const token of tokens) {
    const [isArray, next] = step(value, token);
    path.push(isArray ? Number(token) : token);
    value = next;
  }
  return path;
}

/** Reads a property; its value is undefined if a getter or proxy throws an error. */
function step(
  container: unknown,
  key: string,
): readonly [isArray: boolean, value: unknown] {
  try {
    const isArray = Array.isArray(container);
    return [isArray, (container as Record<string, unknown>)[key]];
  } catch {
    return [false, undefined];
  }
}
