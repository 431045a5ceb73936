import { POLLERS, type RawDocument, type RawMethod } from "../load/raw.js";
import type { Sink } from "../diagnostics/sink.js";
import { rawMethods, type LocatedMethod } from "../model/raw-methods.js";
import { pruneDocument } from "./prune-document.js";
import { parseSelector, type Selector } from "./selector.js";
import { suggestSelectors } from "./suggest-selectors.js";

/** Selectors of methods; docs/selection.md describes the syntax. */
export interface Selection {
  /** Selectors of the methods to include. Default: all methods. */
  readonly include?: readonly string[] | undefined;
  /** Selectors of methods to remove from the selection. */
  readonly exclude?: readonly string[] | undefined;
}

/**
 * Returns a copy of a document with only the selected methods, and with only
 * the schemas and scopes that these methods use. Reports selectors that match
 * no method. If there is an error, returns the document unchanged.
 */
export function selectMethods(
  document: RawDocument,
  { include = [], exclude = [] }: Selection,
  sink: Sink,
): RawDocument {
  if (include.length + exclude.length === 0) return document;
  const parse = (option: Selector["option"], texts: readonly string[]) =>
    texts.flatMap((text) => parseSelector(option, text, sink) ?? []);
  const included = parse("include", include);
  const excluded = parse("exclude", exclude);
  if (sink.hasErrors) return document;
  const methods = rawMethods(document);
  reportUnmatched([...included, ...excluded], document, methods, sink);
  if (sink.hasErrors) return document;
  const isMatch = (list: readonly Selector[], method: LocatedMethod) =>
    list.some((selector) => selector.isMatch(method));
  const selected = methods.filter(
    (method) =>
      (include.length === 0 || isMatch(included, method)) &&
      !isMatch(excluded, method),
  );
  if (selected.length > 0)
    return {
      ...pruneDocument(document, selected),
      [POLLERS]: pollersOf(methods, selected),
    };
  sink.report(
    "select-empty",
    `include and exclude select none of the ${methods.length} methods of ${document.name}:${document.version}`,
  );
  return document;
}

function reportUnmatched(
  selectors: readonly Selector[],
  { name = "", version = "" }: RawDocument,
  methods: readonly LocatedMethod[],
  sink: Sink,
): void {
  for (const { option, text, isMatch } of selectors)
    if (!methods.some(isMatch))
      sink.report(
        "select-unmatched",
        `${option} ${JSON.stringify(text)} matches no method of ${name}:${version}${suggestSelectors(text, name, methods)}`,
      );
}

/**
 * Returns the unselected methods that can poll a long-running operation started
 * by a selected method. No code is generated for them, but their paths are
 * needed to wait for the operation.
 */
function pollersOf(
  methods: readonly LocatedMethod[],
  selected: readonly LocatedMethod[],
): readonly RawMethod[] {
  const isSelected = new Set(selected.map(({ raw }) => raw));
  const operations = new Set(
    selected.map(({ raw }) => raw.response?.$ref).filter(isOperation),
  );
  return methods
    .filter(
      ({ raw }) =>
        !isSelected.has(raw) &&
        raw.httpMethod?.toUpperCase() === "GET" &&
        operations.has(raw.response?.$ref),
    )
    .map(({ raw }) => raw);
}

function isOperation(ref: string | undefined): boolean {
  return ref?.endsWith("Operation") === true;
}
