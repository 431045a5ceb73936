import type { RawMethod } from "../../../load/raw.js";
import type { JsonView } from "../json-view.js";

/** Resources lie in each other so deep at most; deeper ones are not shown. */
const MAX_DEPTH = 30;

/** A method by its place in the document. */
export interface MethodView {
  /** Names of its resources from the top, and its own. */
  readonly names: readonly string[];
  readonly view: JsonView;
}

/** A resource with its own methods; the top has the methods of the API itself. */
export interface ResourceView {
  readonly names: readonly string[];
  readonly methods: readonly MethodView[];
}

/** All resources that have methods, by name. */
export function resourcesOf(document: JsonView): ResourceView[] {
  const found: ResourceView[] = [];
  const visit = (view: JsonView, names: readonly string[]): void => {
    const methods = methodsOf(view, names);
    if (methods.length > 0) found.push({ names, methods });
    if (names.length >= MAX_DEPTH) return;
    for (const [name, child] of byName(view.at("resources")))
      visit(child, [...names, name]);
  };
  visit(document, []);
  return found;
}

/** The resource at a place; undefined where there is none. */
export function resourceAt(
  document: JsonView,
  names: readonly string[],
): ResourceView | undefined {
  const view = document.at(...names.flatMap((name) => ["resources", name]));
  return view === undefined
    ? undefined
    : { names, methods: methodsOf(view, names) };
}

/** The names of the resources in a resource. */
export function childrenOf(
  document: JsonView,
  names: readonly string[],
): string[] {
  const path = names.flatMap((name) => ["resources", name]);
  return byName(document.at(...path, "resources")).map(([name]) => name);
}

/** A method at a place. */
export function methodAt(
  document: JsonView,
  names: readonly string[],
): MethodView | undefined {
  const resource = resourceAt(document, names.slice(0, -1));
  return resource?.methods.find((one) => one.names.at(-1) === names.at(-1));
}

/** A method, parsed; documents are checked before they are shown. */
export function parseMethod({ view }: MethodView): RawMethod {
  return view.value() as RawMethod;
}

function methodsOf(view: JsonView, names: readonly string[]): MethodView[] {
  return byName(view.at("methods")).map(([name, method]) => ({
    names: [...names, name],
    view: method,
  }));
}

/** The members of an object by name: documents have them in any order. */
export function byName(view: JsonView | undefined): [string, JsonView][] {
  return [...(view?.members ?? [])].sort(([a], [b]) => (a < b ? -1 : 1));
}
