/* eslint-disable */
// biome-ignore-all lint: generated

import type { Client, Descriptor, Feature } from "./contract.js";
import { createCall, type BOUND } from "./method.js";
import type { CallOptions, ClientOptions } from "./options.js";
import { withOptions, type Derivable } from "./with-options.js";

/**
 * Type of a member of {@link Bound}: the method without its first parameter.
 */
export type BoundMethod<M> = M extends { readonly [BOUND]?: infer B }
  ? B
  : never;

/**
 * Methods of a module, bound to a client. A constant such as `delete_` is
 * omitted if the module also exports it as `delete`. Keys are not renamed by an
 * `as` clause, because this would slow down the completion of names in editors.
 *
 * @typeParam M `typeof` the module.
 * @typeParam O names of other exports to omit.
 */
export type Bound<M, O = never> = Members<
  M,
  Exclude<keyof M, `${keyof M & string}_` | O>
>;

type Members<M, K extends keyof M> = {
  readonly [N in K]: BoundMethod<M[N]>;
};

/** Resources and methods of an API, keyed by name. */
export interface MethodTree {
  readonly [name: string]: MethodTree | MethodEntry;
}

/**
 * Description of a method: HTTP method and path, then features, and objects
 * with other properties of the method's descriptor. If a resource has the same
 * name as the method, `members` contains its methods and child resources.
 */
export type MethodEntry = readonly [
  httpMethod: string,
  path: string,
  ...parts: (Feature | MethodProperties)[],
];

/** Properties of a method that has more than an HTTP method and a path. */
export interface MethodProperties extends Partial<Omit<Descriptor, "use">> {
  readonly members?: MethodTree;
}

/**
 * Binds the methods of an API to a client. Every name becomes an own property,
 * including `__proto__` and `constructor`. The caller declares the type of the
 * result.
 *
 * @param prefix beginning of the IDs of all methods, such as `drive.`. The names
 *   of resources and of the method follow, unless the entry has an `id`.
 * @param tree a {@link MethodTree}. In an object literal of that type, TypeScript
 *   would not accept a method named `constructor`.
 * @param target object that receives the methods and resources.
 */
export function bind(
  client: Client,
  prefix: string,
  tree: object,
  target: object = {},
  // oxlint-disable-next-line typescript/no-explicit-any -- callers set the type
): any {
  for (const [name, node] of Object.entries(tree as MethodTree))
    if (isEntry(node))
      define(target, name, {
        value: bindMethod(client, prefix + name, node),
        // Tests replace methods by assignments, for example jest.spyOn.
        writable: true,
      });
    else
      define(target, name, {
        // A resource is bound when it is first read, because some APIs have a
        // thousand methods.
        get() {
          const value = bind(client, `${prefix}${name}.`, node);
          define(target, name, { value });
          return value;
        },
      });
  return target;
}

/**
 * Binds the methods of an API to a client like {@link bind}, and adds `with()`,
 * which derives a client with other options. Members of the API take
 * precedence.
 *
 * @param members function that returns further members of the client object,
 *   such as batch methods.
 */
export function bindClient(
  client: Client,
  prefix: string,
  tree: object,
  members: (client: Client) => object = () => ({}),
  // oxlint-disable-next-line typescript/no-explicit-any -- callers set the type
): any {
  const derivable: Derivable<ClientOptions> = {
    with: (options) =>
      bindClient(withOptions(client, options), prefix, tree, members),
  };
  return bind(client, prefix, tree, { ...derivable, ...members(client) });
}

/**
 * Defines an enumerable property. Assignment would fail for members named
 * `__proto__`, or `name`, which is a read-only property of functions.
 */
function define(
  target: object,
  name: string,
  property: PropertyDescriptor,
): void {
  Object.defineProperty(target, name, {
    ...property,
    enumerable: true,
    configurable: true,
  });
}

function isEntry(node: MethodTree | MethodEntry): node is MethodEntry {
  return Array.isArray(node);
}

function bindMethod(
  client: Client,
  id: string,
  [httpMethod, path, ...parts]: MethodEntry,
): object {
  const use = parts.filter((part) => typeof part === "function");
  const { members = {}, ...rest }: MethodProperties = Object.assign(
    {},
    ...parts.filter((part) => typeof part === "object"),
  );
  const descriptor: Descriptor = { id, httpMethod, path, ...rest, use };
  const call = (parameters?: object, options?: CallOptions) => {
    const hasCallback = [parameters, options].some(
      (argument) => typeof argument === "function",
    );
    const own = hasCallback
      ? { ...descriptor, body: rejectCallback }
      : descriptor;
    return createCall(client, own, parameters, options);
  };
  // The property is configurable, so that a member named `descriptor` can
  // replace it.
  Object.defineProperty(call, "descriptor", {
    value: descriptor,
    configurable: true,
  });
  return bind(client, `${id}.`, members, call);
}

/**
 * Body of a call that was given a callback, as `googleapis` accepts it. The call
 * fails, because the callback would never run.
 */
function rejectCallback(): never {
  throw new TypeError("a callback is not supported: the call is a promise");
}
