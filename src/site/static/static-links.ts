import { anchor, type ApiId, type Links } from "../links.js";
import { keyOf, type ApiPages } from "./placement.js";

/** Folder and pages of an API in a static site. */
export interface PlacedApi {
  /** Folder of the API, relative to the root of the site. */
  readonly folder: string;
  readonly pages: ApiPages;
}

/** Pages of all APIs, by name and version. */
export type PlacedApis = ReadonlyMap<string, PlacedApi>;

/** Returns the key of an API in {@link PlacedApis}. */
export function apiKey({ name, version }: ApiId): string {
  return `${name}:${version}`;
}

/**
 * Returns links between files of a site that work without a server, because
 * they are relative to the current page.
 * @param root path from the page to the root of the site: empty, or `../` for
 *   each folder
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
    // If the schema does not exist, the link refers to the page of the API.
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
