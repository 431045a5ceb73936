/* eslint-disable */
// biome-ignore-all lint: generated

/**
 * A floating-point number as JSON carries it (formats `double` and `float`):
 * the numbers that JSON lacks are texts. See the codec `double`.
 */
export type Double = number | "NaN" | "Infinity" | "-Infinity";

/**
 * `T` without its properties `K`: what may be sent of a resource some of whose
 * properties only the server sets. The others keep their documentation.
 */
export type Writable<T, K extends keyof T> = {
  [P in keyof T as P extends K ? never : P]: T[P];
};

/** `T` with its properties `K` required. */
export type WithRequired<T, K extends keyof T> = T & {
  [P in K]-?: Exclude<T[P], undefined>;
};

/**
 * `T` as a request takes it: at any depth an optional property may also be
 * `undefined`, which is as absent. (With `exactOptionalPropertyTypes` these
 * differ.)
 */
export type Input<T> = { [P in keyof T]: InputValue<T[P]> };

/**
 * The value of a property. A required one stays without `undefined`: `T[P]` has
 * it only where `P` is optional, and the first branch makes it explicit.
 */
type InputValue<V> = V extends undefined
  ? undefined
  : V extends readonly (infer E)[]
    ? InputList<E>
    : V extends object
      ? Input<V>
      : V;

/** An interface, which compilers look into late: lists can be of themselves. */
interface InputList<E> extends ReadonlyArray<InputValue<E>> {}

/**
 * Parameters `P` with the content as `media`, or in the members `K` of the
 * body, which are required otherwise.
 */
export type OrMedia<P, K extends string> = P &
  ({ media: {} } | { requestBody: { [N in K]: {} } });

/**
 * The body of a PATCH (RFC 7396): at any depth a property may be absent or
 * `undefined`, which keeps it, or `null`, which clears it. Arrays are replaced
 * as a whole.
 */
export type Patch<T> = T extends
  string | number | boolean | bigint | null | undefined
  ? T
  : T extends readonly unknown[]
    ? Input<T>
    : T extends object
      ? { [P in keyof T]?: Patch<T[P]> | null | undefined }
      : T;
