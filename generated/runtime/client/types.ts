/* eslint-disable */
// biome-ignore-all lint: generated

/**
 * Floating-point number in JSON (formats `double` and `float`): numbers that
 * JSON does not have are texts. See the codec `double`.
 */
export type Double = number | "NaN" | "Infinity" | "-Infinity";

/**
 * `T` without its properties `K`, which only the server sets: the type for
 * requests. The other properties keep their documentation.
 */
export type Writable<T, K extends keyof T> = {
  [P in keyof T as P extends K ? never : P]: T[P];
};

/** `T` with its properties `K` required. */
export type WithRequired<T, K extends keyof T> = T & {
  [P in K]-?: Exclude<T[P], undefined>;
};

/**
 * `T` in requests: at any depth, optional properties may also be `undefined`,
 * which counts as absent. (`exactOptionalPropertyTypes` distinguishes them.)
 */
export type Input<T> = { [P in keyof T]: InputValue<T[P]> };

/**
 * Value of a property. Required properties do not get `undefined`: `T[P]`
 * contains it only if `P` is optional, and the first branch makes it explicit.
 */
type InputValue<V> = V extends undefined
  ? undefined
  : V extends readonly (infer E)[]
    ? InputList<E>
    : V extends object
      ? Input<V>
      : V;

/** An interface, because compilers resolve it lazily, so lists can be recursive. */
interface InputList<E> extends ReadonlyArray<InputValue<E>> {}

/** Parameters `P` with either `media` or the members `K` of the request body. */
export type OrMedia<P, K extends string> = P &
  ({ media: {} } | { requestBody: { [N in K]: {} } });

/**
 * Body of a PATCH (RFC 7396). At any depth, absent and `undefined` properties
 * stay unchanged and `null` clears a property. Arrays are replaced completely.
 */
export type Patch<T> = T extends
  string | number | boolean | bigint | null | undefined
  ? T
  : T extends readonly unknown[]
    ? Input<T>
    : T extends object
      ? { [P in keyof T]?: Patch<T[P]> | null | undefined }
      : T;
