/* eslint-disable */
// biome-ignore-all lint: generated

import type { Client, Descriptor } from "./contract.js";
import type { BOUND } from "./method.js";
import type { CallOptions } from "./options.js";

/**
 * Type of a member of {@link Bound}: the method without its first parameter.
 */
export type BoundMethod<M> = M extends { readonly [BOUND]?: infer B }
  ? B
  : never;

/**
 * Methods of a module, bound to a client. {@link Renamed} is a separate type,
 * because an intersection of both would slow down the completion of names in
 * editors.
 *
 * @typeParam M `typeof` the module, which exports each function also under its
 *   new name: `export { delete_ as delete }`.
 * @typeParam R new names of members, such as `{ delete_: "delete" }`. The old
 *   names are omitted.
 */
export type Bound<M, R = object> = Members<M, Exclude<keyof M, keyof R>>;

type Members<M, K extends keyof M> = {
  readonly [N in K]: BoundMethod<M[N]>;
};

/**
 * Bound methods whose new names can't be the names of exports, such as `then`.
 * Keys are not renamed by an `as` clause, because this would slow down the
 * completion of names in editors.
 */
export type Renamed<M, R> = {
  readonly [N in Extract<R[keyof M & keyof R], PropertyKey>]: BoundMethod<
    M[keyof M & OldName<R, N>]
  >;
};

type OldName<R, N> = { [K in keyof R]: R[K] extends N ? K : never }[keyof R];

interface FlatMethod {
  (client: Client, parameters: object, options?: CallOptions): unknown;
  readonly descriptor: Descriptor;
}

/**
 * Binds the methods of a module to a client. Members that are not methods are
 * skipped. Every name becomes an own property, including `__proto__` and
 * `constructor`. The caller declares the result as {@link Bound}.
 */
// oxlint-disable-next-line typescript/no-explicit-any -- callers set the type
export function bind(client: Client, module: object, renamed?: object): any {
  const names = new Map(Object.entries(renamed ?? {}));
  // Object.fromEntries also defines `__proto__` as an own property.
  return Object.fromEntries(
    Object.entries(module)
      .filter(([, member]) => isMethod(member))
      .map(([name, member]) => [
        names.get(name) ?? name,
        bindOne(client, member as FlatMethod),
      ]),
  );
}

/**
 * Combines a method and a resource of the same name. Returns the method as a
 * function that also has the members of the resource. A member can have the
 * name of a function property, such as `name` or `length`.
 */
// oxlint-disable-next-line typescript/no-explicit-any -- callers set the type
export function callable(client: Client, flat: unknown, resource: object): any {
  const members = Object.getOwnPropertyDescriptors(resource);
  return Object.defineProperties(bindOne(client, flat as FlatMethod), members);
}

function bindOne(
  client: Client,
  flat: FlatMethod,
): (...rest: never[]) => unknown {
  // The property is configurable, so that `callable` can replace it with a
  // resource member named `descriptor`.
  return Object.defineProperty(flat.bind(null, client), "descriptor", {
    value: flat.descriptor,
    configurable: true,
  });
}

function isMethod(member: unknown): boolean {
  return typeof member === "function" && "descriptor" in member;
}
