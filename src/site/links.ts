import { wellFormed } from "./html.js";

/** Name and version of an API. */
export interface ApiId {
  readonly name: string;
  readonly version: string;
}

/** URLs of the pages of a site, relative to one of the pages. */
export interface Links {
  readonly home: string;
  readonly style: string;
  readonly script: string;
  /** URL of the script with the index for the search over all APIs. */
  readonly search: string;
  /**
   * Prefix of the URLs in the search index. These URLs are relative to the root
   * of the site.
   */
  readonly root: string;
  /** True if a server handles the search forms in the pages. */
  readonly isServed: boolean;
  /** Returns the URL of an API's overview page. */
  api(api: ApiId): string;
  /**
   * Returns the URL of a resource's page. `names` contains the names of the
   * resources from the root; it is empty for the methods of the API itself.
   */
  resource(api: ApiId, names: readonly string[]): string;
  /**
   * Returns the URL of a method: a page, or a position on a page. `names`
   * contains the names of the resources from the root, and the name of the
   * method.
   */
  method(api: ApiId, names: readonly string[]): string;
  /** Returns the URL of the list of an API's schemas. */
  schemas(api: ApiId): string;
  /** Returns the URL of a schema: a page, or a position on a page. */
  schema(api: ApiId, id: string): string;
  /** Page with the changes of an API; undefined if it has none. */
  changes?(api: ApiId): string | undefined;
  /** Description document of an API; undefined if the site has no copy. */
  document(api: ApiId): string | undefined;
}

/**
 * Returns an HTML id for a name. Characters that are not allowed in ids are
 * encoded.
 */
export function anchor(name: string): string {
  return `m-${encodeURIComponent(wellFormed(name))}`;
}

/**
 * Percent-encodes names. Lone surrogates, which can't be encoded, become
 * U+FFFD.
 */
export function encodeNames(names: readonly string[]): string {
  return names.map((name) => encodeURIComponent(wellFormed(name))).join("/");
}
