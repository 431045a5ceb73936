/* eslint-disable */
// biome-ignore-all lint: generated

// This file is longer than 250 lines, because these recursive types refer to
// one another.

/**
 * Types of partial responses: values with only the fields that the parameter
 * `fields` selects. The types parse field selectors: comma-separated names,
 * `a/b`, `a.b` and `a(b,c)` for nested fields, and `*` for all fields. In an
 * array, a selector applies to each element; in a map, any name is a valid key.
 * A selector that is not a string literal, or that is too long for the
 * compiler, selects all fields. The types process strings instead of tuples,
 * because the compiler would instantiate the many members of each tuple type.
 */

/**
 * Part of `T` that a server returns if the parameter `fields` is `F`.
 * Properties keep their modifiers and documentation. Required properties remain
 * required, because a server is expected to send them, even if only as `{}`.
 */
export type Select<T, F extends string> = string extends F
  ? T
  : F extends unknown
    ? IsReadable<F> extends true
      ? Below<T, Dense<F>>
      : T
    : never;

/**
 * `F` if `T` has all fields in the selector `F`, with the selectors that editors
 * can complete it to. Otherwise, an error message with the name of the missing
 * field. The message is a type to which no selector can be assigned, so the
 * compiler prints it.
 */
export type CheckFields<T, F extends string> = string extends F
  ? string
  : [Complaint<T, F>] extends [never]
    ? F | NoInfer<Completion<T, F>>
    : NoInfer<Complaint<T, F>>;

/**
 * Selectors that continue `F` with a field of `T`, if `F` is empty or ends with a
 * comma.
 */
type Completion<T, F extends string> = F extends "" | `${string},`
  ? `${F}${KeyOf<Bare<T>> & string}`
  : never;

type Complaint<T, F extends string> = F extends unknown
  ? IsReadable<F> extends true
    ? Wrong<T, Dense<F>>
    : never
  : never;

/**
 * `true` for string literals that are short enough for the recursion limit of
 * TypeScript.
 */
type IsReadable<F extends string> =
  Record<never, 1> extends Record<F, 1>
    ? false
    : F extends Many<"," | "(" | ")"> | VeryMany<" " | "\n" | "\t" | ".">
      ? false
      : true;

/**
 * Type of selectors that contain one of the characters in `D` at least 127
 * times. These selectors are not parsed: TypeScript stops after 1,000 steps of
 * recursion, and the parser needs one to four steps for each occurrence.
 */
type Many<D extends string> = D extends string
  ? Twice<Twice<Twice<Twice<Twice<Twice<Twice<string, D>, D>, D>, D>, D>, D>, D>
  : never;

/**
 * Type of selectors that contain one of the characters in `D` at least 255
 * times. Selectors with 255 spaces, line breaks, tabs or dots are not parsed.
 */
type VeryMany<D extends string> = D extends string ? Twice<Many<D>, D> : never;

type Twice<S extends string, D extends string> = `${S}${D}${S}`;

/**
 * Type of the part of a value that the selectors in the union `F` select. An
 * empty selector selects all fields.
 */
type Below<T, F extends string> = "" extends F
  ? T
  : unknown extends T
    ? T
    : T extends readonly unknown[]
      ? { [I in keyof T]: Below<T[I], F> }
      : T extends object
        ? Picked<T, Parts<F>>
        : T;

/**
 * Object type that maps each selected field to the union of its nested
 * selectors, or to `""` if it has none.
 */
type Parts<F extends string> = {
  [
    P in Split<F> as P extends `${infer K}/${string}` ? K : never
  ]: P extends `${string}/${infer R}` ? R : never;
};

/**
 * Object type with only the selected properties. It consists of anonymous
 * mapped types, because editors then show the individual properties.
 */
type Picked<T, P> = P extends { "*": "" } | Unreadable
  ? T
  : string extends keyof T
    ? {
        [
          K in keyof T as K extends keyof P ? K : IndexOnly<K>
        ]: K extends keyof P
          ? Below<T[K], BelowName<P, K>>
          : Each<T[K], P[keyof P]>;
      }
    : (keyof P | Starred<T, P>) & keyof T extends infer N extends keyof T
      ? { [K in N]: Below<T[K], BelowName<P, K>> }
      : never;

/** `K` if it is the key type of an index signature; otherwise `never`. */
type IndexOnly<K> = string extends K ? K : number extends K ? K : never;

type Each<V, F> = F extends string ? Below<V, F> : never;

type BelowName<P, K> = string & P[keyof P & (K | "*")];

/**
 * Names of the properties that a selector such as `*(id)` selects: all
 * properties whose values have the field `id`.
 */
type Starred<T, P> = P extends { "*": infer F extends string }
  ? Having<T, F>
  : never;

type Having<T, F extends string> = T extends object
  ? {
      [K in keyof T]-?: [Wrong<T[K], F>] extends [never] ? K : never;
    }[keyof T]
  : never;

/** Result of parsing a selector with unbalanced parentheses. */
type Unreadable = { ")": string };

/**
 * Splits a selector at its commas. Each part has the form `name/nested`;
 * `nested` is empty for a name without a nested selector.
 */
type Split<
  F extends string,
  Out extends string = never,
> = F extends `${infer A},${infer B}`
  ? A extends `${string}(${string}`
    ? SplitGroup<F, Out>
    : Split<B, Out | Path<A>>
  : F extends `${string}(${string}`
    ? SplitGroup<F, Out>
    : Out | Path<F>;

type Path<F extends string> = F extends `${string}/${string}` ? F : `${F}/`;

type SplitGroup<
  F extends string,
  Out extends string,
> = F extends `${infer A}(${infer B}` ? Close<B, A, Out> : never;

/**
 * Finds the parenthesis that closes the nested selectors of `Name`, and
 * continues to split the selector after it.
 */
type Close<
  F extends string,
  Name extends string,
  Out extends string,
  Inner extends string = "",
  Open extends string = "",
> = F extends `${infer A})${infer B}`
  ? Opened<A, Open> extends `(${infer Less}`
    ? Close<B, Name, Out, `${Inner}${A})`, Less>
    : Next<B, Out | Group<Name, `${Inner}${A}`>>
  : ")/";

type Opened<
  F extends string,
  Open extends string,
> = F extends `${string}(${infer B}` ? Opened<B, `(${Open}`> : Open;

type Next<F extends string, Out extends string> = F extends ""
  ? Out
  : F extends `,${infer B}`
    ? Split<B, Out>
    : ")/";

type Group<
  Name extends string,
  Inner extends string,
> = Name extends `${string}/${string}`
  ? `${Name}(${Inner})`
  : `${Name}/${Inner}`;

/** Selector without white space, with `/` instead of `.`. */
type Dense<F extends string> = Slashed<
  Without<Without<Without<F, " ">, "\n">, "\t">
>;

type Slashed<F extends string> = F extends `${infer A}.${infer B}`
  ? Slashed<`${A}/${B}`>
  : F;

type Without<
  F extends string,
  D extends string,
> = F extends `${infer A}${D}${infer B}` ? Without<`${A}${B}`, D> : F;

/**
 * Error message for each field that `T` does not have; `never` if no field is
 * missing. Fields are checked to a depth of 12, because TypeScript allows only
 * about 100 levels of instantiation.
 */
type Wrong<
  T,
  F extends string,
  At extends string = "the result",
  Deep extends string = "",
> = "" extends F
  ? never
  : Deep extends "............"
    ? never
    : WrongPart<Bare<T>, Split<F>, At, `.${Deep}`>;

type WrongPart<
  T,
  P extends string,
  At extends string,
  Deep extends string,
> = unknown extends T
  ? never
  : [T] extends [void]
    ? never
    : P extends `${infer K}/${infer R}`
      ? K extends ""
        ? never
        : K extends ")"
          ? "fields: the parentheses are unbalanced"
          : K extends "*"
            ? WrongEverywhere<Extract<T, object>, R, At>
            : K extends KeyOf<T>
              ? IsFlatMap<T> extends true
                ? never
                : Wrong<ValueOf<T, K>, R, `'${K}'`, Deep>
              : `fields: ${At} has no '${K}'`
      : never;

/**
 * Error message for a selector nested in `*`. No message is necessary if at
 * least one property value has the selected fields. A `*` in the nested
 * selector is not checked, because the check would take too long.
 */
type WrongEverywhere<T, F extends string, At extends string> = [T] extends [
  never,
]
  ? `fields: ${At} has no '*'`
  : F extends "" | `${string}*${string}`
    ? never
    : [Having<T, F>] extends [never]
      ? `fields: nothing in ${At} has '${F}'`
      : never;

/**
 * Element type of an array, even if arrays are nested; any other type is
 * unchanged.
 */
type Bare<T> = unknown extends T
  ? T
  : T extends readonly (infer E)[]
    ? Bare<E>
    : T extends null | undefined
      ? never
      : T;

/**
 * `true` for a map type whose values are scalars. The keys of such a map can
 * contain dots and slashes.
 */
type IsFlatMap<T> = T extends { readonly [key: string]: infer V }
  ? string extends keyof T
    ? Extract<V, object> extends never
      ? unknown extends V
        ? false
        : true
      : false
    : false
  : false;

type KeyOf<T> = T extends object ? keyof T : never;

type ValueOf<T, K> = T extends object
  ? K extends keyof T
    ? T[K]
    : never
  : never;
