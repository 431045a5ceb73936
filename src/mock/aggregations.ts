import type { Definition, Method } from "../model/ir.js";
import { objectFields } from "../model/queries.js";
import { patternOf, type ResourceType } from "./method-role.js";

/**
 * Method that lists the resources of several collections, in a map with their
 * scopes: `projects/p/aggregated/instances` contains the instances of
 * `projects/p/zones/z/instances` under the key `zones/z`.
 */
export interface Aggregation {
  /** Member of the response with the map. */
  readonly field: string;
  /** Member of the values of the map with the resources. */
  readonly member: string;
  /** Types of the resources, which have the same schema. */
  readonly resourceTypes: readonly ResourceType[];
  /** Number of segments of the common parent in the paths of all collections. */
  readonly parentSegments: number;
}

/** Returns the collections that a method lists; undefined for other methods. */
export function aggregationOf(
  method: Method,
  resourceTypes: readonly ResourceType[],
  definitions: ReadonlyMap<string, Definition>,
): Aggregation | undefined {
  const pattern = patternOf(method);
  if (method.httpMethod !== "GET" || pattern === undefined) return undefined;
  const parent = pattern.slice(0, pattern.lastIndexOf("*") + 1);
  if (parent === "") return undefined;
  for (const { name: field, schema } of objectFields(
    method.response,
    definitions,
  )) {
    if (schema.kind !== "map") continue;
    for (const member of objectFields(schema.values, definitions)) {
      const { schema: list } = member;
      if (list.kind !== "list" || list.items.kind !== "ref") continue;
      const { id } = list.items;
      const fitting = resourceTypes.filter(
        (type) =>
          type.schemaId === id &&
          !type.isSingleton &&
          type.pattern.startsWith(`${parent}/`),
      );
      if (fitting.length > 0)
        return {
          field,
          member: member.name,
          resourceTypes: fitting,
          parentSegments: parent.split("/").length,
        };
    }
  }
  return undefined;
}

/**
 * Returns the scope of a collection, such as `zones/z`; undefined for collections
 * that the method does not list.
 *
 * @param path path of the request
 */
export function scopeOf(
  collection: string,
  path: string,
  { pattern }: ResourceType,
  { parentSegments }: Aggregation,
): string | undefined {
  const segments = collection.split("/");
  const parent = path.split("/").slice(0, parentSegments);
  const expected = pattern.split("/");
  const isListed =
    segments.length === expected.length &&
    expected.every((part, at) => part === "*" || part === segments[at]) &&
    parent.every((part, at) => part === segments[at]);
  return isListed ? segments.slice(parentSegments, -1).join("/") : undefined;
}
