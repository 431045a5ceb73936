/* eslint-disable */
// biome-ignore-all lint: generated

/**
 * Types of partial responses: what the parameter `fields` leaves of a result.
 * A selector is read as text: names with commas between them, `a/b`, `a.b` and
 * `a(b,c)` for what is below a name, `*` for every name. Arrays are looked
 * through; maps have every name. A text that can't be read (not a literal, or
 * too long for the compiler) narrows nothing. Texts stand in for tuples here,
 * whose members by the dozen the compiler would have to make.
 */

/**
 * What is left of `T` when a server is asked for the fields `F`: an object for
 * an object, with the modifiers and the documentation of its properties. (What
 * is required stays so: a server is expected to send it, if only as `{}`.)
 */
export type Select<T, F extends string> = string extends F
  ? T
  : F extends unknown
    ? IsReadable<F> extends true
      ? Below<T, Dense<F>>
      : T
    : never;

/**
 * `F` if `T` has every name in it; else a text that says which one it lacks,
 * to which no selector can be assigned.
 */
export type CheckFields<T, F extends string> = string extends F
  ? string
  : [Complaint<T, F>] extends [never]
    ? F
    : NoInfer<Complaint<T, F>>;

type Complaint<T, F extends string> = F extends unknown
  ? IsReadable<F> extends true
    ? Wrong<T, Dense<F>>
    : never
  : never;

/** Whether a text is a literal, and within the recursion that compilers allow. */
type IsReadable<F extends string> =
  Record<never, 1> extends Record<F, 1>
    ? false
    : F extends Many<"," | "(" | ")"> | VeryMany<" " | "\n" | "\t" | ".">
      ? false
      : true;

/**
 * Texts with 127 of a character or more, for each of the characters: compilers
 * give up after a thousand steps, of which each takes one to four.
 */
type Many<D extends string> = D extends string
  ? Twice<Twice<Twice<Twice<Twice<Twice<Twice<string, D>, D>, D>, D>, D>, D>, D>
  : never;

/** Texts with 255 of it or more. */
type VeryMany<D extends string> = D extends string ? Twice<Many<D>, D> : never;

type Twice<S extends string, D extends string> = `${S}${D}${S}`;

/** What a selector, or several, leave of a value; the empty one: all of it. */
type Below<T, F extends string> = "" extends F
  ? T
  : unknown extends T
    ? T
    : T extends readonly unknown[]
      ? { [I in keyof T]: Below<T[I], F> }
      : T extends object
        ? Picked<T, Parts<F>>
        : T;

/** Selectors by the name that they stand below; `""`: nothing stands there. */
type Parts<F extends string> = {
  [
    P in Split<F> as P extends `${infer K}/${string}` ? K : never
  ]: P extends `${string}/${infer R}` ? R : never;
};

/** The mapped types have no names, so that editors show what is in them. */
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

/** A map stays one: each value is what one of the selectors leaves of it. */
type IndexOnly<K> = string extends K ? K : number extends K ? K : never;

type Each<V, F> = F extends string ? Below<V, F> : never;

type BelowName<P, K> = string & P[keyof P & (K | "*")];

/** The names for which `*` stands where something has to be below it. */
type Starred<T, P> = P extends { "*": infer F extends string }
  ? Having<T, F>
  : never;

type Having<T, F extends string> = T extends object
  ? {
      [K in keyof T]-?: [Wrong<T[K], F>] extends [never] ? K : never;
    }[keyof T]
  : never;

/** What stands for a text whose parentheses do not match. */
type Unreadable = { ")": string };

/** The parts of selectors, each as `name/` and what is below the name. */
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

/** Looks for the parenthesis that closes the group of `Name`. */
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

/** A selector without the white space around its parts, and with `/` for `.`. */
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
 * A sentence for each name that is not there; `never` if all of them are. It
 * does not look deeper than a dozen names: each costs some of the 100 levels
 * that compilers allow.
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
          ? "fields: the parentheses do not match"
          : K extends "*"
            ? WrongEverywhere<Extract<T, object>, R, At>
            : K extends KeyOf<T>
              ? IsFlatMap<T> extends true
                ? never
                : Wrong<ValueOf<T, K>, R, `'${K}'`, Deep>
              : `fields: ${At} has no '${K}'`
      : never;

/**
 * Below `*` it is enough if one value has the names. Where there is a `*` below
 * it, too, objects are taken to have them: looking would take too long.
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

/** A value without the arrays around it. */
type Bare<T> = unknown extends T
  ? T
  : T extends readonly (infer E)[]
    ? Bare<E>
    : T extends null | undefined
      ? never
      : T;

/** Whether a value is a map of scalars, whose keys may have dots and slashes. */
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
