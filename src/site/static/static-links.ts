import { anchor, type ApiId, type Links } from "../links.js";
import { keyOf, type ApiPages } from "./placement.js";

/** Folder and pages of an API in a static site. */
export interface PlacedApi {
  /** Folder of the API, relative to the root of the site. */
  readonly folder: string;
  readonly pages: ApiPages;
}

/**
 * Map from API name and version (see `apiKey`) to the folder and pages of the
 * API.
 */
export type PlacedApis = ReadonlyMap<string, PlacedApi>;

/** Returns the key of an API in {@link PlacedApis}. */
export function apiKey({ name, version }: ApiId): string {
  return `${name}:${version}`;
}

/**
 * Returns the URLs of the pages of a static site, relative to the current page.
 * Relative URLs work without a server.
 * @param root path from the current page to the root of the site: empty, or
 *   `../` for each folder level
 */
export function staticLinks(apis: PlacedApis, root: string): Links {
  const inApi = (
    api: ApiId,
    pathOf: (pages: ApiPages) => string | undefined,
    hash = "",
  ): string => {
    const placed = apis.get(apiKey(api));
    if (placed === undefined) return `${root}index.html`;
    const path = pathOf(placed.pages);
    // If the method or schema does not exist, the link refers to the overview
    // page of the API.
    return path === undefined
      ? `${root}${placed.folder}/index.html`
      : `${root}${placed.folder}/${path}.html${hash}`;
  };
  return {
    home: `${root}index.html`,
    style: `${root}style.css`,
    script: `${root}script.js`,
    search: `${root}search.js`,
    root,
    isServed: false,
    api: (api) => inApi(api, () => "index"),
    resource: (api, names) =>
      inApi(api, ({ resourcePaths }) => resourcePaths.get(keyOf(names))),
    method: (api, names) =>
      inApi(
        api,
        ({ methodPaths }) => methodPaths.get(keyOf(names)),
        `#${anchor(names.at(-1) ?? "")}`,
      ),
    schemas: (api) => inApi(api, () => "schemas"),
    schema: (api, id) =>
      inApi(api, ({ schemaPaths }) => schemaPaths.get(id), `#${anchor(id)}`),
    changes: (api) =>
      apis.get(apiKey(api))?.pages.changes &&
      inApi(api, ({ changes }) => changes),
    document: () => undefined,
  };
}
