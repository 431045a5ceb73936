import type { Api, Method, Resource } from "../model/ir.js";

/** A member of a service: a handler, the handlers of a resource, or both in one. */
export interface Member {
  readonly name: string;
  /** Names from the service on, this one included. */
  readonly path: readonly string[];
  readonly handler?: Handler;
  /** Members of the resource of that name; none for a handler alone. */
  readonly members?: readonly Member[];
}

/** What is known of a handler before it is written. */
export interface Handler {
  /** Id of the method. */
  readonly id: string;
  /** What it is given that it will want: `params`, `body`, `media`. */
  readonly given: readonly string[];
}

/** The members that the service of an API has. */
export function membersOf({ root }: Pick<Api, "root">): readonly Member[] {
  return membersIn(root);
}

function membersIn(resource: Resource): Member[] {
  const members = new Map<string, Member>();
  for (const method of resource.methods) {
    const { name } = method;
    const path = [...resource.path, name];
    members.set(name, { name, path, handler: handlerOf(method) });
  }
  for (const child of resource.children) {
    const { name, path } = child;
    const inner = membersIn(child);
    const same = members.get(name);
    if (inner.length > 0)
      members.set(name, { name, path, ...same, members: inner });
  }
  return [...members.values()];
}

function handlerOf({
  id,
  parameters,
  headers = [],
  request,
  upload,
}: Method): Handler {
  const given = [
    ...(parameters.length + headers.length > 0 ? ["params"] : []),
    ...(request === undefined ? [] : ["body"]),
    ...(upload === undefined ? [] : ["media"]),
  ];
  return { id, given };
}

/** How many handlers are below some members. */
export function countHandlers(members: readonly Member[]): number {
  return members.reduce(
    (sum, { handler, members: inner = [] }) =>
      sum + (handler === undefined ? 0 : 1) + countHandlers(inner),
    0,
  );
}

/** The paths of all handlers below some members, with dots. */
export function handlerPaths(members: readonly Member[]): string[] {
  return members.flatMap(({ path, handler, members: inner = [] }) => [
    ...(handler === undefined ? [] : [path.join(".")]),
    ...handlerPaths(inner),
  ]);
}
