import type { Api, Method, Resource } from "../model/ir.js";

/** Member of a service: a handler, a resource with handlers, or both. */
export interface ServiceMember {
  readonly name: string;
  /** Names on the path from the service to this member. */
  readonly path: readonly string[];
  readonly handler?: HandlerOutline;
  /** Members of the resource; absent if the member is only a handler. */
  readonly members?: readonly ServiceMember[];
}

/** Data from which a handler is printed. */
export interface HandlerOutline {
  /** Id of the method. */
  readonly id: string;
  /**
   * Properties that the handler destructures from its argument: `params`,
   * `body`, `media`.
   */
  readonly parameters: readonly string[];
}

/**
 * Returns the members that an implementation of the API's service must have.
 */
export function membersOf({
  root,
}: Pick<Api, "root">): readonly ServiceMember[] {
  return membersIn(root);
}

function membersIn(resource: Resource): ServiceMember[] {
  const members = new Map<string, ServiceMember>();
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
}: Method): HandlerOutline {
  const properties = [
    ...(parameters.length + headers.length > 0 ? ["params"] : []),
    ...(request === undefined ? [] : ["body"]),
    ...(upload === undefined ? [] : ["media"]),
  ];
  return { id, parameters: properties };
}

/** Counts the handlers in a list of members, at all levels. */
export function countHandlers(members: readonly ServiceMember[]): number {
  return members.reduce(
    (sum, { handler, members: inner = [] }) =>
      sum + (handler === undefined ? 0 : 1) + countHandlers(inner),
    0,
  );
}

/**
 * Returns the dotted paths of the handlers in a list of members, at all levels.
 */
export function handlerPaths(members: readonly ServiceMember[]): string[] {
  return members.flatMap(({ path, handler, members: inner = [] }) => [
    ...(handler === undefined ? [] : [path.join(".")]),
    ...handlerPaths(inner),
  ]);
}
