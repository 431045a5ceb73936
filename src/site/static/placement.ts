import type { JsonView } from "../json-view.js";
import { byName, resourcesOf, type MethodView } from "../outline.js";
import { FileNames } from "./file-names.js";

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
export function keyOf(names: readonly string[]): string {
  return JSON.stringify(names);
}

/**
 * Distributes the methods and schemas of a document over pages.
 * @param changed true to include a page with the API's changes
 */
export function placeApi(document: JsonView, changed = false): ApiPages {
  const files = new FileNames(["index", "schemas"]);
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
