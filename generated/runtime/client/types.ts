/* eslint-disable */
// biome-ignore-all lint: generated

/**
 * Floating-point number in JSON (formats `double` and `float`). `NaN` and
 * infinite numbers are strings, because JSON can't represent them as numbers;
 * see the codec `double`.
 */
export type Double = number | "NaN" | "Infinity" | "-Infinity";

/**
 * Variant of `T` for requests. It omits the properties `K`, which only the
 * server sets. The other properties keep their documentation.
 */
export type Writable<T, K extends keyof T> = {
  [P in keyof T as P extends K ? never : P]: T[P];
};

/** Variant of `T` in which the properties `K` are required. */
export type WithRequired<T, K extends keyof T> = T & {
  [P in K]-?: Exclude<T[P], undefined>;
};

/**
 * Variant of `T` for requests. At any depth, an optional property may be
 * `undefined`, which is treated as absent. This type is needed for projects
 * with `exactOptionalPropertyTypes`, which otherwise do not allow `undefined`.
 */
export type Input<T> = { [P in keyof T]: InputValue<T[P]> };

/**
 * Request type of a property with the type `V`. If `V` contains `undefined`,
 * the result contains it too.
 */
type InputValue<V> = V extends undefined
  ? undefined
  : V extends readonly (infer E)[]
    ? InputList<E>
    : V extends object
      ? Input<V>
      : V;

/**
 * List in a request. It is an interface because TypeScript resolves interfaces
 * lazily, which allows recursive lists.
 */
interface InputList<E> extends ReadonlyArray<InputValue<E>> {}

/**
 * Parameters `P` that must include either `media`, or a request body with the
 * members `K`.
 */
export type OrMedia<P, K extends string> = P &
  ({ media: {} } | { requestBody: { [N in K]: {} } });

/**
 * Body of a PATCH request (RFC 7396). At any depth, a property that is absent
 * or `undefined` is not changed, and `null` removes a property. An array
 * replaces the previous array completely.
 */
export type Patch<T> = T extends
  string | number | boolean | bigint | null | undefined
  ? T
  : T extends readonly unknown[]
    ? Input<T>
    : T extends object
      ? { [P in keyof T]?: Patch<T[P]> | null | undefined }
      : T;
