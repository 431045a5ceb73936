import type { Client, Descriptor } from "./contract.js";
import type { BOUND } from "./method.js";
import type { CallOptions } from "./options.js";

/** A member of a {@link Bound}: the method without its first parameter. */
export type BoundMethod<M> = M extends { readonly [BOUND]?: infer B }
  ? B
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
export type Bound<M, R = object> = Unrenamed<M, Exclude<keyof M, keyof R>> &
  Renamed<M, R>;

type Unrenamed<M, K extends keyof M> = {
  readonly [N in K]: BoundMethod<M[N]>;
};

type Renamed<M, R> = {
  readonly [K in keyof M & keyof R as Extract<R[K], PropertyKey>]: BoundMethod<
    M[K]
  >;
};

interface FlatMethod {
  (client: Client, parameters: object, options?: CallOptions): unknown;
  readonly descriptor: Descriptor;
}

/**
 * Binds the methods of a module to a client. Members that are not methods are
 * left out; any name is a plain property, `__proto__` and `constructor` too.
 * The result is taken for what the caller says it is, a {@link Bound}.
 */
// oxlint-disable-next-line typescript/no-explicit-any -- see above
export function bind(client: Client, module: object, renamed?: object): any {
  const names = new Map(Object.entries(renamed ?? {}));
  const bound = {};
  for (const [name, flat] of Object.entries(module))
    if (isMethod(flat))
      define(
        bound,
        names.get(name) ?? name,
        bindOne(client, flat as FlatMethod),
      );
  return bound;
}

/**
 * A method and a resource that share one name: a function with the members of
 * the resource, whatever they are called.
 */
// oxlint-disable-next-line typescript/no-explicit-any -- as in bind
export function callable(client: Client, flat: unknown, resource: object): any {
  const members = Object.getOwnPropertyDescriptors(resource);
  return Object.defineProperties(bindOne(client, flat as FlatMethod), members);
}

function bindOne(
  client: Client,
  flat: FlatMethod,
): (...rest: never[]) => unknown {
  const { descriptor } = flat;
  const bound = (parameters: object, options?: CallOptions) =>
    flat(client, parameters, options);
  // Not in the way of a member that is called so.
  return Object.defineProperty(bound, "descriptor", {
    value: descriptor,
    configurable: true,
  });
}

function isMethod(member: unknown): boolean {
  return typeof member === "function" && "descriptor" in member;
}

function define(target: object, name: string, value: unknown): void {
  Object.defineProperty(target, name, {
    value,
    enumerable: true,
    configurable: true,
    writable: true,
  });
}
