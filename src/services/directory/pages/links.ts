import type { DocumentSummary } from "../document-summary.js";
import { wellFormed } from "./html.js";

type ApiId = Pick<DocumentSummary, "name" | "version">;

/** Returns the path of an API's page. */
export function apiPath({ name, version }: ApiId): string {
  return `/apis/${encode([name, version])}`;
}

/** Returns the path of a resource's page, given the names from the root. */
export function resourcePath(api: ApiId, names: readonly string[]): string {
  return `${apiPath(api)}/resources/${encode(names)}`;
}

/** Returns the path of a method's page, given the names from the root. */
export function methodPath(api: ApiId, names: readonly string[]): string {
  return `${apiPath(api)}/methods/${encode(names)}`;
}

/** Returns the path of a schema's page. */
export function schemaPath(api: ApiId, id: string): string {
  return `${apiPath(api)}/schemas/${encode([id])}`;
}

/** Returns an id for use in HTML; encodes characters that ids can't have. */
export function anchor(name: string): string {
  return `m-${encodeURIComponent(name)}`;
}

/** Encodes names; lone surrogates, which can't be encoded, become U+FFFD. */
function encode(names: readonly string[]): string {
  return names.map((name) => encodeURIComponent(wellFormed(name))).join("/");
}
