import { formatCount } from "../diagnostics/format-count.js";
import type { RawMethod } from "../load/raw.js";
import { html, type Html } from "./html.js";
import type { JsonView } from "./json-view.js";
import type { PageContext } from "./page-context.js";

/**
 * Maximum nesting depth of resources. More deeply nested resources are not
 * shown.
 */
const MAX_DEPTH = 30;

/**
 * Unparsed method of a document, with the names of the method and its
 * resources.
 */
export interface MethodView {
  /**
   * Names of the resources from the root to the method, followed by the name of
   * the method.
   */
  readonly names: readonly string[];
  readonly view: JsonView;
}

/**
 * Resource with its methods. The root resource contains the methods that belong
 * to no other resource.
 */
export interface ResourceView {
  readonly names: readonly string[];
  readonly methods: readonly MethodView[];
}

/** Returns all resources that contain methods, sorted by name. */
export function resourcesOf(document: JsonView): ResourceView[] {
  const resources: ResourceView[] = [];
  const visit = (view: JsonView, names: readonly string[]): void => {
    const methods = methodsOf(view, names);
    if (methods.length > 0) resources.push({ names, methods });
    if (names.length >= MAX_DEPTH) return;
    for (const [name, child] of byName(view.at("resources")))
      visit(child, [...names, name]);
  };
  visit(document, []);
  return resources;
}

/**
 * Returns the resource with the given names; undefined if it does not exist.
 */
export function resourceAt(
  document: JsonView,
  names: readonly string[],
): ResourceView | undefined {
  const view = document.at(...names.flatMap((name) => ["resources", name]));
  return view === undefined
    ? undefined
    : { names, methods: methodsOf(view, names) };
}

/** Returns the names of the resources directly below a resource. */
export function childrenOf(
  document: JsonView,
  names: readonly string[],
): string[] {
  const path = names.flatMap((name) => ["resources", name]);
  return byName(document.at(...path, "resources")).map(([name]) => name);
}

/** Returns true for a resource that the document marks as deprecated. */
export function isDeprecated(
  document: JsonView,
  names: readonly string[],
): boolean {
  const path = names.flatMap((name) => ["resources", name]);
  // The root resource is the document itself, which has no such field.
  return (
    path.length > 0 && document.at(...path, "deprecated")?.value() === true
  );
}

/** Returns the method with the given names (resources, then the method). */
export function methodAt(
  document: JsonView,
  names: readonly string[],
): MethodView | undefined {
  const resource = resourceAt(document, names.slice(0, -1));
  return resource?.methods.find(
    (method) => method.names.at(-1) === names.at(-1),
  );
}

/**
 * Parses a method. The result is not validated, because the document has
 * already been checked.
 */
export function parseMethod({ view }: MethodView): RawMethod {
  return view.value() as RawMethod;
}

function methodsOf(view: JsonView, names: readonly string[]): MethodView[] {
  return byName(view.at("methods")).map(([name, method]) => ({
    names: [...names, name],
    view: method,
  }));
}

/** Returns the members of an object, sorted by name. */
export function byName(view: JsonView | undefined): [string, JsonView][] {
  return [...(view?.members ?? [])].sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Number of resources up to which each page lists all resources of its API. */
const FEW_RESOURCES = 50;

/** Number of listed resources before and after the current one. */
const NEIGHBOURS = 5;

/**
 * Returns a function that renders the navigation of an API, which lists its
 * resources and schemas. If the API has many resources, only those next to the
 * current one are listed, because the size of a site would otherwise grow with
 * the square of their number. The overview page lists all of them. The parameter
 * of the function is the URL of the current page.
 */
export function apiNavigation(
  { summary, links }: PageContext,
  document: JsonView,
): (current: string) => Html {
  const resources = resourcesOf(document).map(({ names }) => ({
    text: names.length === 0 ? "Top level" : names.join("."),
    href: links.resource(summary, names),
  }));
  const positions = new Map(resources.map(({ href }, at) => [href, at]));
  const isComplete = resources.length <= FEW_RESOURCES;
  const overview = isComplete
    ? "Overview"
    : `Overview of ${formatCount(resources.length, "resource")}`;
  const changes = links.changes?.(summary);
  const hasSchemas = (document.at("schemas")?.members.size ?? 0) > 0;
  return (current) => {
    const at = positions.get(current) ?? 0;
    const shown = isComplete
      ? resources
      : resources.slice(Math.max(0, at - NEIGHBOURS), at + NEIGHBOURS + 1);
    const item = (href: string, text: string): Html =>
      html`<li>
        <a href="${href}" ${href === current && html` aria-current="page"`}
          >${text}</a
        >
      </li> `;
    return html`<nav class="aside" aria-label="${summary.title}">
      <ul>
        ${item(links.api(summary), overview)}
        ${shown.map(({ href, text }) => item(href, text))}
        ${changes !== undefined && item(changes, "Changes")}${hasSchemas && item(links.schemas(summary), "Schemas")}
      </ul>
    </nav>`;
  };
}
