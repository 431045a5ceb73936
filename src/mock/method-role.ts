import type { Method, Parameter, Schema } from "../model/ir.js";
import { routesOf } from "../model/routes.js";

/** Standard method of a resource type (AIP-130); `replace` is PUT. */
export type StandardMethod =
  "get" | "list" | "create" | "replace" | "patch" | "delete";

/**
 * Type of the resources in a collection, inferred from the methods. All
 * resources of a type have the same schema.
 */
export interface ResourceType {
  /**
   * Path of the collection, or of the singleton resource, with `*` for variable
   * segments.
   */
  readonly pattern: string;
  /** Id of the schema of the resources. */
  readonly schemaId: string;
  readonly isSingleton: boolean;
  /** Last variable in the path of a resource; undefined for a singleton. */
  readonly variable: string | undefined;
  /**
   * Path before the variable, if the value of the variable is a full resource
   * name (`projects/p/topics/t`).
   */
  readonly prefix: string | undefined;
  /** Parameter that contains the value of the variable. */
  readonly parameter: Parameter | undefined;
  /** True if the content of the resources can be downloaded. */
  readonly hasContent: boolean;
  /** True if the resources are long-running operations. */
  readonly isOperation: boolean;
}

/** Standard method that an API method implements, and its resource type. */
export interface MethodRole {
  readonly kind: StandardMethod;
  readonly resourceType: ResourceType;
  /** Member of the request body that contains the resource. */
  readonly bodyField?: string | undefined;
  /** Member of the response that contains the resource. */
  readonly resultField?: string | undefined;
  /** Shape of the response, for lists. */
  readonly list?: ListShape | undefined;
  /** Number of segments at the end of the path that contain a custom verb. */
  readonly customSegments?: number;
  /** Name in the path of a singleton that `getX` and `setX` access. */
  readonly pairName?: string | undefined;
}

/** Position and schema of the resources in the response of a list method. */
export interface ListShape {
  /** Member with the list; an empty string if the response is the list. */
  readonly field: string;
  /** Schema of the elements, if it differs from that of the resources. */
  readonly itemId?: string;
}

/**
 * Returns the path of a method with `*` for variable segments; undefined if the
 * path ends with a custom verb.
 */
export function patternOf(method: Method): string | undefined {
  if (method.tokens.some(({ kind }) => kind === "verb")) return undefined;
  const [route = ""] = routesOf(method);
  return withoutNames(route);
}

/** Replaces the variables of a route with their patterns; the default is `*`. */
export function withoutNames(route: string): string {
  return route.replace(
    /\{[^{}=]*(?:=([^{}]*))?\}/g,
    (_, pattern: string = "*") => pattern,
  );
}

export function isReferenceTo(
  schema: Schema | undefined,
  schemaId: string,
): boolean {
  return schema?.kind === "ref" && schema.id === schemaId;
}
