import { closest } from "../diagnostics/closest.js";
import type { Sink } from "../diagnostics/sink.js";
import {
  POLLERS,
  type RawDocument,
  type RawMethod,
  type RawResource,
  type RawSchema,
} from "../load/raw.js";
import { GlobError, MethodGlob } from "../model/method-glob.js";
import { type LocatedMethod, rawMethods } from "../model/raw-methods.js";
import {
  schemaOfRef,
  visitMethodRefs,
  type VisitRef,
  visitSchemaRefs,
  visitSharedRefs,
} from "../load/raw-refs.js";

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

type Json = Readonly<Record<string, unknown>>;

/**
 * Returns a copy of a document with only the given methods, and with only the
 * schemas and scopes that these methods use. The JSON pointers of the remaining
 * values do not change.
 */
function pruneDocument(
  document: RawDocument,
  methods: readonly LocatedMethod[],
): RawDocument {
  const selected = new Set<unknown>(methods.map(({ raw }) => raw));
  const scopes = new Set(methods.flatMap(({ raw }) => raw.scopes ?? []));
  const schemas = usedSchemas(document, methods);
  return {
    ...document,
    ...pruneResource(document, selected),
    ...(document.schemas === undefined
      ? {}
      : {
          schemas: filterMembers(document.schemas, (key) => schemas.has(key)),
        }),
    ...(document.auth === undefined
      ? {}
      : { auth: pruneAuth(document.auth, scopes) }),
  };
}

/**
 * Returns the selected methods of a resource, and the nested resources that
 * contain a selected method.
 */
function pruneResource(
  { methods, resources }: RawResource,
  selected: ReadonlySet<unknown>,
): Pick<RawResource, "methods" | "resources"> {
  const pruned = Object.entries(resources ?? {})
    .map(([name, resource]) => {
      const members = pruneResource(resource, selected);
      return [name, { ...resource, ...members }] as const;
    })
    .filter(([, resource]) => hasMembers(resource));
  return {
    ...(methods === undefined
      ? {}
      : { methods: filterMembers(methods, (_, raw) => selected.has(raw)) }),
    ...(resources === undefined
      ? {}
      : { resources: Object.fromEntries(pruned) }),
  };
}

function hasMembers({ methods = {}, resources = {} }: RawResource): boolean {
  return Object.keys(methods).length + Object.keys(resources).length > 0;
}

/**
 * Returns the keys of the schemas that the methods use, directly or indirectly.
 */
function usedSchemas(
  document: RawDocument,
  methods: readonly LocatedMethod[],
): Set<string> {
  const schemas = document.schemas ?? {};
  const used = new Set<string>();
  const pending: string[] = [];
  const visit: VisitRef = (owner, key) => {
    const name = schemaOfRef(owner[key] as string, schemas);
    if (name === undefined || used.has(name)) return;
    used.add(name);
    pending.push(name);
  };
  visitSharedRefs(document, visit);
  for (const { raw } of methods) visitMethodRefs(raw, visit);
  for (let name = pending.pop(); name !== undefined; name = pending.pop())
    visitSchemaRefs(schemas[name] as RawSchema, visit);
  return used;
}

function pruneAuth(
  auth: NonNullable<RawDocument["auth"]>,
  used: ReadonlySet<string>,
): NonNullable<RawDocument["auth"]> {
  const scopes = auth.oauth2?.scopes;
  if (scopes === undefined) return auth;
  const kept = filterMembers(scopes, (scope) => used.has(scope));
  return { ...auth, oauth2: { ...auth.oauth2, scopes: kept } };
}

/**
 * Returns a copy of an object with only the members that satisfy a predicate. A
 * `__proto__` key is treated like any other key.
 */
function filterMembers<T extends Json>(
  object: T,
  isKept: (key: string, value: unknown) => boolean,
): T {
  const members = Object.entries(object).filter(([key, value]) =>
    isKept(key, value),
  );
  return Object.fromEntries(members) as T;
}

/** Prefix of selectors that select methods by their OAuth scopes. */
const SCOPE_PREFIX = "scope:";

/** Parsed element of the `include` or `exclude` option. */
interface Selector {
  /** Option in which the selector was given. */
  readonly option: "include" | "exclude";
  readonly text: string;
  readonly isMatch: (method: LocatedMethod) => boolean;
}

/** Parses a selector. Reports an invalid selector and returns undefined. */
function parseSelector(
  option: Selector["option"],
  text: string,
  sink: Sink,
): Selector | undefined {
  const isScope = text.startsWith(SCOPE_PREFIX);
  try {
    const glob = new MethodGlob(
      isScope ? text.slice(SCOPE_PREFIX.length) : text,
    );
    const isMatch = isScope
      ? ({ raw }: LocatedMethod) => matchesScope(glob, raw.scopes ?? [])
      : ({ id }: LocatedMethod) => glob.matchesBelow(id);
    return { option, text, isMatch };
  } catch (error) {
    if (!(error instanceof GlobError)) throw error;
    sink.report(
      "select-invalid",
      `${option} ${JSON.stringify(text.slice(0, 200))} ${error.message}`,
    );
    return undefined;
  }
}

function matchesScope(glob: MethodGlob, scopes: readonly string[]): boolean {
  return scopes.some(
    (scope) => glob.matches(scope) || glob.matches(shortScope(scope)),
  );
}

/**
 * Returns the part of a scope after `/auth/`, such as `drive.readonly`. For
 * other URLs, returns the host and path.
 */
function shortScope(scope: string): string {
  const at = scope.lastIndexOf("/auth/");
  if (at !== -1) return scope.slice(at + "/auth/".length);
  return scope.replace(/^[a-z]+:\/\//, "").replace(/\/$/, "");
}

/** Maximum number of suggestions for a selector that matches no method. */
const MAX_SUGGESTIONS = 3;

/**
 * Returns a suggestion of the form ` (did you mean a, b or c?)` with the
 * selectors that are most similar to a selector without matches; an empty
 * string if no selector is similar.
 * @param name name of the API, which is the first segment of most method ids
 */
function suggestSelectors(
  selector: string,
  name: string,
  methods: readonly LocatedMethod[],
): string {
  const pool = candidates(selector, methods).filter(
    ({ length }) => length <= 2 * selector.length + 10,
  );
  const isBare = selector.startsWith(SCOPE_PREFIX) || selector.startsWith(name);
  const words = isBare ? [selector] : [`${name}.${selector}`, selector];
  const found: string[] = [];
  for (const word of words)
    while (found.length < MAX_SUGGESTIONS) {
      const next = closest(
        word,
        pool.filter((candidate) => !found.includes(candidate)),
      );
      if (next === undefined) break;
      found.push(next);
    }
  const last = found.pop();
  if (last === undefined) return "";
  const list = found.length === 0 ? last : `${found.join(", ")} or ${last}`;
  return ` (did you mean ${list}?)`;
}

/**
 * Returns all selectors that can be suggested: scopes for a scope selector,
 * `<resource>.*` for a selector that ends with `*`, and method ids otherwise.
 */
function candidates(
  selector: string,
  methods: readonly LocatedMethod[],
): string[] {
  if (selector.startsWith(SCOPE_PREFIX)) {
    const isUrl = selector.includes("://");
    const scopes = methods.flatMap(({ raw }) => raw.scopes ?? []);
    const names = scopes.map((scope) => (isUrl ? scope : shortScope(scope)));
    return [...new Set(names)].map((scope) => SCOPE_PREFIX + scope);
  }
  const isBroad = selector.endsWith("*");
  const ids = methods.map(({ id }) => id);
  const groups = ids.map((id) => id.slice(0, id.lastIndexOf(".")));
  const names = isBroad
    ? groups.filter((id) => id.includes(".")).map((id) => `${id}.*`)
    : ids;
  return [...new Set(names)];
}
