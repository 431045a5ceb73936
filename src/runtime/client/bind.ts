import type { CallOptions, Client } from "./client.js";

/** A member of a {@link Bound}: the method without its first parameter. */
export type BoundMethod<F> = F extends (
  client: Client,
  ...rest: infer A
) => infer C
  ? (...rest: A) => C
  : never;

/**
 * The methods of a module of flat functions, for one client. Members keep
 * their documentation, but for renamed ones: TypeScript loses it. They can be
 * given it by an intersection with `{ readonly delete: unknown }`, documented.
 *
 * @typeParam M `typeof` the module.
 * @typeParam R names of members that are called otherwise here, such as
 *   `{ delete_: "delete" }`.
 */
export type Bound<M, R = object> = Kept<M, Exclude<keyof M, keyof R>> &
  Renamed<M, R>;

type Kept<M, K extends keyof M> = {
  readonly [N in K]: BoundMethod<M[N]>;
};

type Renamed<M, R> = {
  readonly [K in keyof M & keyof R as Extract<R[K], PropertyKey>]: BoundMethod<
    M[K]
  >;
};

type Flat = (
  client: Client,
  parameters: object,
  options?: CallOptions,
) => unknown;

/**
 * Binds the methods of a module to a client. Members that are not methods are
 * left out; any name is a plain property, `__proto__` and `constructor` too.
 */
export function bind<M extends object, const R extends object = object>(
  client: Client,
  module: M,
  renamed?: R,
): Bound<M, R> {
  const names: Readonly<Record<string, unknown>> = { ...renamed };
  const entries = Object.entries(module).filter(([, flat]) => isMethod(flat));
  return Object.fromEntries(
    entries.map(([name, flat]: [string, Flat]) => [
      Object.hasOwn(names, name) ? names[name] : name,
      (parameters: object, options?: CallOptions) =>
        flat(client, parameters, options),
    ]),
  ) as Bound<M, R>;
}

function isMethod(member: unknown): boolean {
  return typeof member == "function" && "descriptor" in member;
}

/**
 * A method and a resource that share one name: a function like `method` with
 * the members of `resource`, whatever they are called.
 */
export function callable<A extends readonly unknown[], C, R extends object>(
  method: (...args: A) => C,
  resource: R,
): ((...args: A) => C) & R {
  const both = (...args: A) => method(...args);
  const members = Object.getOwnPropertyDescriptors(resource);
  return Object.defineProperties(both, members) as typeof both & R;
}
