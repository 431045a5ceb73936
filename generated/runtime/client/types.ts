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
  [P in K]-?: T[P];
};

/**
 * The body of a PATCH (RFC 7396): at any depth a property may be absent, which
 * keeps it, or `null`, which clears it. Arrays are replaced as a whole.
 */
export type Patch<T> = T extends
  string | number | boolean | bigint | null | undefined | readonly unknown[]
  ? T
  : T extends object
    ? { [P in keyof T]?: Patch<T[P]> | null }
    : T;
