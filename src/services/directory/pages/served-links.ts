import { encodeNames, type ApiId, type Links } from "../../../site/links.js";
import { restPath } from "../list.js";
import { SCRIPT_PATH, SEARCH_PATH, STYLE_PATH } from "./asset-paths.js";

/** Links in the pages that the directory serves, as absolute paths. */
export const servedLinks: Links = {
  home: "/",
  style: STYLE_PATH,
  script: SCRIPT_PATH,
  search: SEARCH_PATH,
  root: "",
  isServed: true,
  api: apiPath,
  resource: (api, names) => `${apiPath(api)}/resources/${encodeNames(names)}`,
  method: (api, names) => `${apiPath(api)}/methods/${encodeNames(names)}`,
  schemas: (api) => `${apiPath(api)}/schemas`,
  schema: (api, id) => `${apiPath(api)}/schemas/${encodeNames([id])}`,
  document: restPath,
};

function apiPath({ name, version }: ApiId): string {
  return `/apis/${encodeNames([name, version])}`;
}
