import { wellFormed } from "./html.js";

/** Name and version of an API. */
export interface ApiId {
  readonly name: string;
  readonly version: string;
}

/** URLs of the pages of a site, relative to one of its pages. */
export interface Links {
  readonly home: string;
  readonly style: string;
  readonly script: string;
  /** Script with the index of the search over all APIs. */
  readonly search: string;
  /** Prefix of the URLs in the search index, which are relative to the root. */
  readonly root: string;
  /** True if a server handles the search forms of the pages. */
  readonly isServed: boolean;
  /** Page of an API. */
  api(api: ApiId): string;
  /**
   * Page of a resource. `names` contains the resource names from the root; it
   * is empty for the methods of the API itself.
   */
  resource(api: ApiId, names: readonly string[]): string;
  /**
   * Page, or position on a page, of a method. `names` contains the resource
   * names from the root and the method name.
   */
  method(api: ApiId, names: readonly string[]): string;
  /** List of the schemas of an API. */
  schemas(api: ApiId): string;
  /** Page, or position on a page, of a schema. */
  schema(api: ApiId, id: string): string;
  /** Page with the changes of an API; undefined if it has none. */
  changes?(api: ApiId): string | undefined;
  /** Description document of an API; undefined if the site has no copy. */
  document(api: ApiId): string | undefined;
}

/**
 * Returns an id for use in HTML. Encodes characters that are not allowed in
 * ids.
 */
export function anchor(name: string): string {
  return `m-${encodeURIComponent(wellFormed(name))}`;
}

/**
 * Percent-encodes names. Lone surrogates can't be encoded and become U+FFFD.
 */
export function encodeNames(names: readonly string[]): string {
  return names.map((name) => encodeURIComponent(wellFormed(name))).join("/");
}
