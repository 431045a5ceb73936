import { wellFormed } from "./html.js";

/** Name and version of an API. */
export interface ApiId {
  readonly name: string;
  readonly version: string;
}

/** URLs of the pages of a site, relative to the current page. */
export interface Links {
  readonly home: string;
  readonly style: string;
  readonly script: string;
  /** URL of the script that contains the search index for all APIs. */
  readonly search: string;
  /**
   * Prefix that turns a URL in the search index, which is relative to the root
   * of the site, into a URL that is relative to the current page.
   */
  readonly root: string;
  /** True if a server processes the search forms of the pages. */
  readonly isServed: boolean;
  /** Returns the URL of an API's overview page. */
  api(api: ApiId): string;
  /**
   * Returns the URL of a resource's page. `names` contains the names of the
   * resources from the root to this one; it is empty for methods that belong to
   * no resource.
   */
  resource(api: ApiId, names: readonly string[]): string;
  /**
   * Returns the URL of a method: a page, or a position on a page. `names`
   * contains the names of the resources from the root to the method, and the
   * name of the method.
   */
  method(api: ApiId, names: readonly string[]): string;
  /** Returns the URL of the page that lists an API's schemas. */
  schemas(api: ApiId): string;
  /** Returns the URL of a schema: a page, or a position on a page. */
  schema(api: ApiId, id: string): string;
  /**
   * Returns the URL of the page with an API's changes; undefined if there is
   * none.
   */
  changes?(api: ApiId): string | undefined;
  /** Returns the URL of the page with the tasks of an API. */
  tasks(api: ApiId): string;
  /** Returns the URL of the script with the schemas of an API. */
  schemasScript(api: ApiId): string;
  /** Returns the files of an API to download, besides the description. */
  downloads?(
    api: ApiId,
  ): readonly { readonly text: string; readonly href: string }[];
  /**
   * Returns the URL of an API's description document; undefined if the site has
   * no copy.
   */
  document(api: ApiId): string | undefined;
}

/**
 * Returns the HTML id for a name. Characters that are not allowed in ids are
 * encoded.
 */
export function anchor(name: string): string {
  return `m-${encodeURIComponent(wellFormed(name))}`;
}

/**
 * Percent-encodes names and joins them with slashes. Lone surrogates, which
 * can't be encoded, become U+FFFD.
 */
export function encodeNames(names: readonly string[]): string {
  return names.map((name) => encodeURIComponent(wellFormed(name))).join("/");
}
