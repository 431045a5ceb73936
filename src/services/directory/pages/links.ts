import type { Facts } from "../document-summary.js";
import { wellFormed } from "./html.js";

type Api = Pick<Facts, "name" | "version">;

/** Path of an API's page. */
export function apiPath({ name, version }: Api): string {
  return `/apis/${encode([name, version])}`;
}

/** Path of a resource's page, by the names from the top. */
export function resourcePath(api: Api, names: readonly string[]): string {
  return `${apiPath(api)}/resources/${encode(names)}`;
}

/** Path of a method's page, by the names of its resources and its own. */
export function methodPath(api: Api, names: readonly string[]): string {
  return `${apiPath(api)}/methods/${encode(names)}`;
}

/** Path of a schema's page. */
export function schemaPath(api: Api, id: string): string {
  return `${apiPath(api)}/schemas/${encode([id])}`;
}

/** An id within a page; names hold what ids can't. */
export function anchor(name: string): string {
  return `m-${encodeURIComponent(name)}`;
}

/** Lone surrogates can't be encoded: they become the sign for what can't be shown. */
function encode(names: readonly string[]): string {
  return names.map((name) => encodeURIComponent(wellFormed(name))).join("/");
}
