import type { DocumentSummary } from "../document-summary.js";
import { wellFormed } from "./html.js";

type ApiId = Pick<DocumentSummary, "name" | "version">;

/** Returns the path of an API's page. */
export function apiPath({ name, version }: ApiId): string {
  return `/apis/${encode([name, version])}`;
}

/**
 * Returns the path of a resource's page. `names` contains the resource names
 * from the root.
 */
export function resourcePath(api: ApiId, names: readonly string[]): string {
  return `${apiPath(api)}/resources/${encode(names)}`;
}

/**
 * Returns the path of a method's page. `names` contains the resource names from
 * the root and the method name.
 */
export function methodPath(api: ApiId, names: readonly string[]): string {
  return `${apiPath(api)}/methods/${encode(names)}`;
}

/** Returns the path of a schema's page. */
export function schemaPath(api: ApiId, id: string): string {
  return `${apiPath(api)}/schemas/${encode([id])}`;
}

/**
 * Returns an id for use in HTML. Encodes characters that are not allowed in
 * ids.
 */
export function anchor(name: string): string {
  return `m-${encodeURIComponent(name)}`;
}

/**
 * Percent-encodes names. Lone surrogates can't be encoded and become U+FFFD.
 */
function encode(names: readonly string[]): string {
  return names.map((name) => encodeURIComponent(wellFormed(name))).join("/");
}
