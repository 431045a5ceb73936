import { setImmediate as yieldToRequests } from "node:timers/promises";
import type { Outgoing } from "../../../../generated/runtime/server/index.js";
import { apiMain, schemasMain } from "../../../site/api.js";
import { featuresOf } from "../../../site/method-features.js";
import { homeMain } from "../../../site/home.js";
import type { Html } from "../../../site/html.js";
import { type JsonView, viewOf } from "../../../site/json-view.js";
import type { Crumb } from "../../../site/layout.js";
import { methodSection } from "../../../site/method.js";
import { apiNavigation } from "../../../site/navigation.js";
import {
  methodAt,
  parseMethod,
  resourceAt,
  type ResourceView,
} from "../../../site/outline.js";
import {
  type PageContext,
  pageContextOf,
  schemaIn,
} from "../../../site/page-context.js";
import { resourceMain } from "../../../site/resource.js";
import { schemaSection } from "../../../site/schema.js";
import { schemasScript } from "../../../site/schemas-script.js";
import { scriptOf } from "../../../site/script.js";
import { SearchIndex } from "../../../site/search-index.js";
import { styleOf } from "../../../site/style.js";
import { tasksMain } from "../../../site/tasks.js";
import type { TryOrigins } from "../../../site/try-form.js";
import { preferredIds } from "../../../site/versions.js";
import type { Catalogue } from "../catalogue.js";
import {
  notFoundPage,
  page,
  SCRIPT_PATH,
  SEARCH_PATH,
  servedLinks as links,
  STYLE_PATH,
} from "./page.js";

/** Breadcrumbs and main content of an HTML page about an API. */
interface PageContent {
  readonly crumbs: readonly Crumb[];
  readonly main: Html;
  /** Resource whose methods the navigation lists. */
  readonly resource?: ResourceView;
  /** URL of the method that the page shows. */
  readonly method?: string;
}

/**
 * Function that returns the document with an id, with URLs for the given
 * origin.
 */
type Read = (id: string, origin: string) => Promise<Buffer | undefined>;

/** HTML pages of the directory. All pages work without scripts. */
export class Pages {
  readonly #catalogue: Catalogue;
  readonly #read: Read;
  readonly #tryOrigins: TryOrigins;

  /** @param tryOrigins origins to which forms can send requests */
  constructor(catalogue: Catalogue, read: Read, tryOrigins: TryOrigins) {
    this.#catalogue = catalogue;
    this.#read = read;
    this.#tryOrigins = tryOrigins;
  }

  /**
   * Handles a GET request. Returns undefined if the path is not the path of a
   * page.
   */
  handle(
    target: string,
    origin: string,
  ): Outgoing | Promise<Outgoing> | undefined {
    const [path = "/", ...rest] = target.split("?");
    const query = new URLSearchParams(rest.join("?")).get("q") ?? "";
    if (path === "/") return this.#homePage(query.slice(0, 200));
    if (path === SEARCH_PATH) return this.#searchIndex(origin);
    if (path.startsWith("/assets/directory/"))
      return asset(path, this.#tryOrigins) ?? notFoundPage("file");
    if (!path.startsWith("/apis/")) return undefined;
    const segments = segmentsOf(path.slice("/apis/".length));
    return segments === undefined
      ? notFoundPage("page")
      : this.#apiPage(segments, query.slice(0, 200), origin);
  }

  /**
   * Returns the script that contains the search index. Yields to other requests
   * after each document. The response cache stores the script until a document
   * changes.
   */
  async #searchIndex(origin: string): Promise<Outgoing> {
    const { summaries } = this.#catalogue;
    const preferred = preferredIds(summaries);
    const index = new SearchIndex(links);
    for (const summary of summaries) {
      const bytes = await this.#read(summary.id, origin);
      if (bytes === undefined) continue;
      const isPreferred = preferred.has(summary.id);
      const document = viewOf(bytes);
      const features = featuresOf(document);
      index.add({ summary, document, isPreferred, features });
      await yieldToRequests();
    }
    return script(index.script());
  }

  #homePage(query: string): Outgoing {
    const title = query === "" ? "API directory" : `${query} – API directory`;
    return page({
      title,
      main: homeMain(this.#catalogue.summaries, links, query),
    });
  }

  async #apiPage(
    [name = "", version, kind, ...names]: readonly string[],
    query: string,
    origin: string,
  ): Promise<Outgoing> {
    if (version === undefined || version === "")
      return this.#redirectToPreferred(name);
    const summary = this.#catalogue.find(`${name}:${version}`);
    const bytes = summary && (await this.#read(summary.id, origin));
    if (summary === undefined || bytes === undefined)
      return notFoundPage("API");
    const document = viewOf(bytes);
    if (kind === "schemas.js" && names.length === 0)
      return script(schemasScript(document));
    const api = pageContextOf(summary, document, links, {
      tryOrigins: this.#tryOrigins,
    });
    const shown: PageContent | undefined =
      kind === undefined
        ? { crumbs: [], main: apiMain(api, document, query) }
        : pageContentOf(api, document, kind, names);
    if (shown === undefined) return notFoundPage(`page of ${summary.id}`);
    const crumbs = [
      { text: `${name} ${version}`, href: links.api(summary) },
      ...shown.crumbs,
    ];
    const last = crumbs.at(-1)!;
    const title =
      shown.crumbs.length === 0
        ? summary.title
        : `${last.text} – ${summary.title}`;
    const { main, resource, method } = shown;
    const aside = apiNavigation(
      api,
      document,
    )({
      current:
        resource === undefined
          ? last.href
          : links.resource(summary, resource.names),
      methods: resource?.methods ?? [],
      ...(method === undefined ? {} : { method }),
    });
    const schemas = links.schemasScript(summary);
    return page(
      { title, crumbs, main, aside, api: `${name} ${version}`, schemas },
      { tryOrigins: this.#tryOrigins },
    );
  }

  #redirectToPreferred(name: string): Outgoing {
    const { summaries } = this.#catalogue;
    const ids = preferredIds(summaries);
    const preferred = summaries.find(
      (candidate) => candidate.name === name && ids.has(candidate.id),
    );
    return preferred === undefined
      ? notFoundPage("API")
      : { status: 302, headers: { location: links.api(preferred) } };
  }
}

/**
 * Returns the decoded segments of a path; undefined if a segment is malformed.
 */
function segmentsOf(path: string): string[] | undefined {
  try {
    return path.split("/").map(decodeURIComponent);
  } catch {
    return undefined;
  }
}

function pageContentOf(
  api: PageContext,
  document: JsonView,
  kind: string,
  names: readonly string[],
): PageContent | undefined {
  if (kind === "tasks" && names.length === 0)
    return {
      crumbs: [{ text: "tasks", href: links.tasks(api.summary) }],
      main: tasksMain(api, document),
    };
  if (kind === "methods") return methodPage(api, document, names);
  if (kind === "resources")
    return resourcePage(api, document, names[0] === "" ? [] : names);
  if (kind === "schemas") return schemaPage(api, document, names);
  return undefined;
}

function methodPage(
  api: PageContext,
  document: JsonView,
  names: readonly string[],
): PageContent | undefined {
  const method = methodAt(document, names);
  if (method === undefined) return undefined;
  const owners = names.slice(0, -1);
  const resource = resourceAt(document, owners);
  return {
    crumbs: [
      ...resourceCrumbs(api, owners),
      { text: names.at(-1)!, href: links.method(api.summary, names) },
    ],
    main: methodSection(api, names, parseMethod(method), 1),
    ...(resource === undefined ? {} : { resource }),
    method: links.method(api.summary, names),
  };
}

function resourcePage(
  api: PageContext,
  document: JsonView,
  names: readonly string[],
): PageContent | undefined {
  const resource = resourceAt(document, names);
  if (resource === undefined) return undefined;
  return {
    crumbs: resourceCrumbs(api, names),
    main: resourceMain(api, document, resource),
    resource,
  };
}

function schemaPage(
  api: PageContext,
  document: JsonView,
  names: readonly string[],
): PageContent | undefined {
  const schemasCrumb = {
    text: "schemas",
    href: links.schemas(api.summary),
  };
  if (names.length === 0)
    return { crumbs: [schemasCrumb], main: schemasMain(api, document) };
  const [name = ""] = names;
  const schema = schemaIn(document, name);
  if (names.length > 1 || schema === undefined) return undefined;
  return {
    crumbs: [
      schemasCrumb,
      { text: name, href: links.schema(api.summary, name) },
    ],
    main: schemaSection(api, name, schema, 1),
  };
}

function resourceCrumbs(
  { summary }: PageContext,
  names: readonly string[],
): Crumb[] {
  if (names.length === 0)
    return [{ text: "methods", href: links.resource(summary, []) }];
  return names.map((text, index) => ({
    text,
    href: links.resource(summary, names.slice(0, index + 1)),
  }));
}

/** Returns the style sheet or the script; undefined for other paths. */
function asset(path: string, tryOrigins: TryOrigins): Outgoing | undefined {
  if (path === STYLE_PATH) return file("text/css", styleOf(tryOrigins));
  if (path === SCRIPT_PATH)
    return file("text/javascript", scriptOf(tryOrigins));
  return undefined;
}

/** Returns a response whose body is a script. */
function script(text: string): Outgoing {
  return file("text/javascript", text);
}

function file(type: string, body: string): Outgoing {
  return {
    status: 200,
    headers: {
      "content-type": `${type}; charset=utf-8`,
      "cache-control": "public, max-age=300",
      "x-content-type-options": "nosniff",
    },
    body,
  };
}
