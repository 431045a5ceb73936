import type { RawMethod } from "../load/raw.js";
import type { JsonView } from "./json-view.js";

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
