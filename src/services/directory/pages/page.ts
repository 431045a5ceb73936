import type { Outgoing } from "../../../../generated/runtime/server/index.js";
import { html } from "../../../site/html.js";
import { layout, type PageParts } from "../../../site/layout.js";
import { type ApiId, encodeNames, type Links } from "../../../site/links.js";
import { connectDirective, type TryOrigins } from "../../../site/try-form.js";
import { LIST_PATH, restPath } from "../list.js";

/** Paths of the style sheet, the script and the search index. */
export const STYLE_PATH = "/assets/directory/style.css";

export const SCRIPT_PATH = "/assets/directory/script.js";

export const SEARCH_PATH = "/assets/directory/search.js";

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
  tasks: (api) => `${apiPath(api)}/tasks`,
  schemasScript: (api) => `${apiPath(api)}/schemas.js`,
  document: restPath,
};

/** Content security policy: pages can load resources only from this server. */
const POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "img-src data:",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ");

const SITE = {
  links: servedLinks,
  name: "API directory",
  footer: html`<p>As JSON: <a href="${LIST_PATH}">list of all APIs</a></p>`,
};

/** Properties of a response that contains an HTML page. */
interface PageOptions {
  /** HTTP status. Default: 200. */
  readonly status?: number;
  /** Origins to which the page can send requests. Default: none. */
  readonly tryOrigins?: TryOrigins;
}

/** Builds a response with an HTML page. */
export function page(
  parts: PageParts,
  { status = 200, tryOrigins = [] }: PageOptions = {},
): Outgoing {
  const policy =
    tryOrigins.length === 0
      ? POLICY
      : `${POLICY}; ${connectDirective(tryOrigins)}`;
  return {
    status,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": policy,
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      "cache-control": "no-cache",
    },
    body: layout(parts, SITE).markup,
  };
}

/** Returns a 404 response that contains an HTML page. */
export function notFoundPage(subject: string): Outgoing {
  return page(
    {
      title: "Not found",
      main: html`<h1>Not found</h1>
        <p>This ${subject} does not exist. <a href="/">All APIs</a></p>`,
    },
    { status: 404 },
  );
}

function apiPath({ name, version }: ApiId): string {
  return `/apis/${encodeNames([name, version])}`;
}
