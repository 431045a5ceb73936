import type { RawDocument, RawResource, RawSchema } from "../load/raw.js";
import type { LocatedMethod } from "../model/raw-methods.js";
import {
  schemaOfRef,
  visitMethodRefs,
  visitSchemaRefs,
  visitSharedRefs,
  type VisitRef,
} from "../model/raw-refs.js";

type Json = Readonly<Record<string, unknown>>;

/**
 * Returns a copy of a document with only the given methods, and with only the
 * schemas and scopes that these methods use. The JSON pointers of the remaining
 * values do not change.
 */
export function pruneDocument(
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
