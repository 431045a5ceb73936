/* eslint-disable */
// biome-ignore-all lint: generated

/**
 * Floating-point number in JSON (formats `double` and `float`). Numbers that
 * JSON can't represent are strings; see the codec `double`.
 */
export type Double = number | "NaN" | "Infinity" | "-Infinity";

/**
 * Request type of `T`, without the properties `K`, which only the server sets.
 * The other properties keep their documentation.
 */
export type Writable<T, K extends keyof T> = {
  [P in keyof T as P extends K ? never : P]: T[P];
};

/** `T` in which the properties `K` are required. */
export type WithRequired<T, K extends keyof T> = T & {
  [P in K]-?: Exclude<T[P], undefined>;
};

/**
 * `T` as the input of a request. At any depth, optional properties can also be
 * `undefined`, which is treated as absent. The type is needed because
 * `exactOptionalPropertyTypes` distinguishes `undefined` from absent.
 */
export type Input<T> = { [P in keyof T]: InputValue<T[P]> };

/**
 * Input type of a property. `T[P]` contains `undefined` only if `P` is
 * optional; the first branch adds `undefined` explicitly for these properties.
 */
type InputValue<V> = V extends undefined
  ? undefined
  : V extends readonly (infer E)[]
    ? InputList<E>
    : V extends object
      ? Input<V>
      : V;

/**
 * List of input values. It is an interface because compilers resolve interfaces
 * lazily, which allows recursive lists.
 */
interface InputList<E> extends ReadonlyArray<InputValue<E>> {}

/**
 * Parameters `P` with either `media` or the members `K` of the request body.
 */
export type OrMedia<P, K extends string> = P &
  ({ media: {} } | { requestBody: { [N in K]: {} } });

/**
 * Body of a PATCH request (RFC 7396). At any depth, absent and `undefined`
 * properties are not changed, and `null` removes a property. Arrays are
 * replaced as a unit.
 */
export type Patch<T> = T extends
  string | number | boolean | bigint | null | undefined
  ? T
  : T extends readonly unknown[]
    ? Input<T>
    : T extends object
      ? { [P in keyof T]?: Patch<T[P]> | null | undefined }
      : T;
