import type { JsonView } from "../json-view.js";
import { anchor, type ApiId, type Links } from "../links.js";
import { byName, resourcesOf, type MethodView } from "../outline.js";

/**
 * Number of bytes of the document after which a page ends. The remaining
 * methods of the resource, or the remaining schemas of the API, are on further
 * pages.
 */
const PAGE_BYTES = 100_000;

/** Page that describes methods of a resource. */
export interface ResourcePage {
  /** Path relative to the folder of the API, without an extension. */
  readonly path: string;
  /** Names of the resources from the root to the resource of this page. */
  readonly names: readonly string[];
  readonly methods: readonly MethodView[];
}

/** Page that describes schemas of an API. */
export interface SchemaPage {
  /** Path relative to the folder of the API, without an extension. */
  readonly path: string;
  readonly ids: readonly string[];
}

/**
 * Pages of an API, and the path of the page for each resource, method and
 * schema.
 */
export interface ApiPages {
  readonly resources: readonly ResourcePage[];
  readonly schemas: readonly SchemaPage[];
  /** Path of the page with the changes; absent if there is none. */
  readonly changes?: string;
  /**
   * Map from the key of a resource (see `keyOf`) to the path of its first page.
   */
  readonly resourcePaths: ReadonlyMap<string, string>;
  /** Map from the key of a method (see `keyOf`) to the path of its page. */
  readonly methodPaths: ReadonlyMap<string, string>;
  /** Map from schema id to the path of the schema's page. */
  readonly schemaPaths: ReadonlyMap<string, string>;
}

/**
 * Returns a key that identifies a list of names. The names can contain any
 * characters.
 */
function keyOf(names: readonly string[]): string {
  return JSON.stringify(names);
}

/**
 * Distributes the methods and schemas of a document over pages.
 * @param changed true to include a page with the API's changes
 */
export function placeApi(document: JsonView, changed = false): ApiPages {
  const files = new FileNames(["index", "schemas", "tasks"]);
  const changes = changed ? { changes: files.assign("what-changed") } : {};
  const resources: ResourcePage[] = [];
  const resourcePaths = new Map<string, string>();
  const methodPaths = new Map<string, string>();
  for (const { names, methods } of resourcesOf(document)) {
    const name = names.length === 0 ? "methods" : names.join(".");
    for (const part of pagesOf(methods, ({ view }) => sizeOf(view))) {
      const path = files.assign(name);
      resources.push({ path, names, methods: part });
      if (!resourcePaths.has(keyOf(names)))
        resourcePaths.set(keyOf(names), path);
      for (const method of part) methodPaths.set(keyOf(method.names), path);
    }
  }
  const schemas: SchemaPage[] = [];
  const schemaPaths = new Map<string, string>();
  const entries = byName(document.at("schemas"));
  for (const part of pagesOf(entries, ([, view]) => sizeOf(view))) {
    const path =
      schemas.length === 0
        ? "schemas"
        : files.assign(`schemas-${schemas.length + 1}`);
    schemas.push({ path, ids: part.map(([id]) => id) });
    for (const [id] of part) schemaPaths.set(id, path);
  }
  return {
    ...changes,
    resources,
    schemas,
    resourcePaths,
    methodPaths,
    schemaPaths,
  };
}

function sizeOf({ start, end }: JsonView): number {
  return end - start;
}

/**
 * Splits a list into pages of limited size. Each page has at least one item.
 */
function pagesOf<T>(
  items: readonly T[],
  sizeOfItem: (item: T) => number,
): T[][] {
  const pages: T[][] = [];
  let size = Infinity;
  for (const item of items) {
    if (size > PAGE_BYTES) {
      pages.push([]);
      size = 0;
    }
    pages.at(-1)!.push(item);
    size += sizeOfItem(item);
  }
  return pages;
}

/** Maximum number of characters of a file name, without its extension. */
const MAX_NAME = 80;

/**
 * Assigns file names to names in a document. The file names contain only
 * letters, digits, `.`, `_` and `-`, and are unique even on file systems that
 * ignore case.
 */
export class FileNames {
  readonly #used = new Set<string>();
  /** Number of names with the same start, keyed by this start. */
  readonly #counts = new Map<string, number>();

  /** @param reserved file names that can't be assigned */
  constructor(reserved: readonly string[] = []) {
    for (const name of reserved) this.#used.add(name);
  }

  /** Returns an unused file name derived from `name`. */
  assign(name: string): string {
    const safe = name
      .replace(/[^A-Za-z0-9._-]/g, "_")
      .replace(/^\.+|\.$/g, "_")
      .slice(0, MAX_NAME);
    // An underscore is added to device names such as CON, because Windows
    // reserves them.
    const stem =
      safe === "" || /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i.test(safe)
        ? `_${safe}`
        : safe;
    const key = stem.toLowerCase();
    let count = this.#counts.get(key) ?? 1;
    let candidate = count === 1 ? stem : `${stem}-${count}`;
    while (this.#used.has(candidate.toLowerCase()))
      candidate = `${stem}-${++count}`;
    this.#counts.set(key, count);
    this.#used.add(candidate.toLowerCase());
    return candidate;
  }
}

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
type PlacedApis = ReadonlyMap<string, PlacedApi>;

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
  const fileOf = (api: ApiId, name: string): string =>
    `${root}${apis.get(apiKey(api))?.folder ?? ""}/${name}`;
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
    tasks: (api) => inApi(api, () => "tasks"),
    schemasScript: (api) => fileOf(api, "schemas.js"),
    document: (api) => fileOf(api, "document.json"),
    downloads: (api) => [
      { text: "OpenAPI", href: fileOf(api, "openapi.json") },
      { text: "Markdown", href: fileOf(api, "index.md") },
      { text: "llms.txt", href: `${root}llms.txt` },
    ],
  };
}
