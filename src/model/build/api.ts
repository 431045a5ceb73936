import { Sink } from "../../diagnostics/sink.js";
import { sortedKeys } from "../../load/canonical.js";
import {
  POLLERS,
  type RawDocument,
  type RawResource,
  type RawSchema,
} from "../../load/raw.js";
import { documentationOrigin } from "../infer/absolute-links.js";
import { breakAliasCycles } from "../infer/aliases.js";
import { rejectNestedUnions } from "../infer/nested-unions.js";
import { findInputTypes } from "../infer/input-types.js";
import { detectOperation, findPolls } from "../infer/operations.js";
import { detectRawBodies } from "../infer/raw-bodies.js";
import { requiredMembers } from "../infer/required-members.js";
import { detectTokenPagination } from "../infer/token-pagination.js";
import type {
  Api,
  Definition,
  Endpoint,
  Method,
  Mutable,
  Resource,
} from "../ir.js";
import { BuildContext, child, type DocumentPath } from "./context.js";
import { checkDocument } from "./document-checks.js";
import { buildDefinition, dropAbsent } from "./schema.js";
import { documentExtensions } from "./extensions.js";
import { fileRules } from "./file-rules.js";
import { checkKeys } from "./keys.js";
import { buildMethod } from "./method.js";
import { buildParameter } from "./parameter.js";

/** Options of `buildApi`, which builds the model of a document. */
export interface BuildOptions {
  /**
   * True to derive required and read-only fields from descriptions that start
   * with words such as "Required." or "Output only."
   */
  readonly trustProse: boolean;
}

/**
 * Builds the API model from a checked document. Reports how ambiguous input was
 * interpreted.
 */
export function buildApi(
  document: RawDocument,
  sink: Sink,
  options: BuildOptions,
): Api {
  const schemas = (document.schemas ?? {}) as Readonly<
    Record<string, RawSchema>
  >;
  const ids = sortedKeys(schemas);
  const context = new BuildContext(
    sink,
    new Set(ids),
    document,
    sortedKeys(document.parameters ?? {}),
    documentationOrigin(document.documentationLink),
  );
  checkKeys("document", document, undefined, context);
  checkDocument(document, context);
  for (const id of ids) {
    context.definitions.set(
      id,
      buildDefinition(
        id,
        schemas[id]!,
        child(undefined, "schemas", id),
        context,
      ),
    );
  }
  const root = buildResource(document.name!, [], document, undefined, context);
  breakAliasCycles(context.definitions, sink);
  rejectNestedUnions(context.definitions, sink);
  const methods = inferMethods(root, options.trustProse, context);
  const pollers = buildPollers(document, context);
  for (const [method, poll] of findPolls([...methods, ...pollers]))
    method.operation = { ...method.operation!, poll };
  const { definitions } = context;
  for (const id of findInputTypes(definitions, methods, options.trustProse))
    definitions.get(id)!.hasInputType = true;
  context.reportUnknownKeys();
  return {
    ...identity(document, context),
    ...address(document, context),
    ...shared(document, context),
    ...documentExtensions(document, context),
    ...fileRules(document, context),
    definitions: orderDefinitions(context),
    root,
  } as Api;
}

/**
 * Adds features that are derived from schemas, such as pagination, to the
 * methods of a resource and its descendants. Must be called after all schemas
 * are built. Returns the methods.
 */
function inferMethods(
  resource: MutableResource,
  trustProse: boolean,
  context: BuildContext,
): Mutable<Method>[] {
  const { definitions } = context;
  for (const method of resource.methods) {
    const paging = detectTokenPagination(
      method,
      resource.name,
      definitions,
      context,
    );
    const operation = detectOperation(method, definitions);
    const { isRequestRaw, isResponseRaw } = detectRawBodies(
      method,
      definitions,
    );
    if (isRequestRaw) method.rawRequest = true;
    if (isResponseRaw) method.rawResponse = true;
    Object.assign(method, requiredMembers(method, definitions, trustProse));
    if (paging !== undefined) method.paging = paging;
    if (operation === undefined) delete method.operation;
    else method.operation = { ...method.operation, ...operation };
  }
  return [
    ...resource.methods,
    ...resource.children.flatMap((below) =>
      inferMethods(below, trustProse, context),
    ),
  ];
}

/**
 * Builds the methods that poll long-running operations but are not part of the
 * generated API. Findings about these methods are discarded, and so are their
 * inline definitions.
 */
function buildPollers(
  document: RawDocument,
  { schemaIds, definitions }: BuildContext,
): Mutable<Method>[] {
  const context = new BuildContext(new Sink(), schemaIds);
  const at = child(undefined, "methods");
  return (document[POLLERS] ?? []).flatMap((raw) => {
    const { id = "" } = raw;
    const method = buildMethod(id, id, raw, at, context);
    if (method === undefined) return [];
    const operation = detectOperation(method, definitions);
    return operation === undefined ? [] : [{ ...method, operation }];
  });
}

function identity(document: RawDocument, context: BuildContext): Partial<Api> {
  const {
    name,
    version,
    revision,
    canonicalName,
    title,
    description,
    documentationLink,
  } = document;
  return dropAbsent({
    id: `${name}:${version}`,
    name,
    version,
    revision,
    canonicalName,
    title,
    description:
      description === undefined ? undefined : context.prose(description),
    documentationLink,
    labels: document.labels ?? [],
    features: document.features ?? [],
  });
}

function address(document: RawDocument, context: BuildContext): Partial<Api> {
  if (document.rootUrl === undefined) {
    context.report(
      "legacy-shape",
      "the document has no rootUrl; clients need the rootUrl option",
    );
  }
  return dropAbsent({
    rootUrl: slashed(document.rootUrl ?? "http://localhost/"),
    mtlsRootUrl: document.mtlsRootUrl,
    servicePath:
      document.servicePath ?? document.basePath?.replace(/^\//, "") ?? "",
    batchPath: document.batchPath,
    endpoints: (document.endpoints ?? []).flatMap(endpoint),
    encodeReserved: document.fullyEncodeReservedExpansion === true,
  });
}

function endpoint(
  raw: NonNullable<RawDocument["endpoints"]>[number],
): Endpoint[] {
  if (raw.endpointUrl === undefined || raw.location === undefined) return [];
  return [
    {
      url: slashed(raw.endpointUrl),
      location: raw.location,
      ...(raw.description === undefined
        ? {}
        : { description: raw.description }),
      ...(raw.deprecated === true ? { deprecated: true } : {}),
    },
  ];
}

function shared(document: RawDocument, context: BuildContext): Partial<Api> {
  const scopes = document.auth?.oauth2?.scopes ?? {};
  const parameters = document.parameters ?? {};
  return {
    scopes: sortedKeys(scopes).map((name) =>
      dropAbsent({ name, description: scopes[name]?.description }),
    ),
    parameters: sortedKeys(parameters).map((name) =>
      buildParameter(
        document.name!,
        name,
        parameters[name]!,
        child(undefined, "parameters", name),
        context,
      ),
    ),
  };
}

/**
 * Orders the definitions, so that each definition is followed by the
 * definitions of its inline schemas.
 */
function orderDefinitions(context: BuildContext): Definition[] {
  const owned = new Map<string, Definition[]>();
  const ordered: Definition[] = [];
  for (const definition of context.definitions.values()) {
    const owner = definition.inline?.owner;
    if (owner === undefined || !context.definitions.has(owner)) continue;
    const list = owned.get(owner);
    if (list === undefined) owned.set(owner, [definition]);
    else list.push(definition);
  }
  const visit = (definition: Definition): void => {
    ordered.push(definition);
    for (const child of owned.get(definition.id) ?? []) visit(child);
  };
  for (const definition of context.definitions.values()) {
    const owner = definition.inline?.owner;
    if (owner === undefined || !context.definitions.has(owner))
      visit(definition);
  }
  return ordered;
}

function slashed(url: string): string {
  return url.endsWith("/") ? url : `${url}/`;
}

/**
 * Maximum nesting depth of resources. Deeper resources are reported and
 * omitted; published documents have at most eight levels.
 */
const MAX_DEPTH = 100;

/**
 * Resource under construction: its methods are completed after all schemas are
 * built.
 */
interface MutableResource extends Resource {
  deprecated?: boolean;
  methods: Mutable<Method>[];
  readonly children: MutableResource[];
}

/**
 * Builds a resource with its methods and child resources. The API itself is the
 * root resource, which has no name.
 */
function buildResource(
  api: string,
  path: readonly string[],
  raw: RawResource,
  at: DocumentPath | undefined,
  context: BuildContext,
): MutableResource {
  const children: MutableResource[] = [];
  const resource: MutableResource = {
    name: path.at(-1) ?? "",
    path: [...path],
    methods: [],
    children,
  };
  if (path.length > 0) {
    checkKeys("resource", raw, at, context);
    if (raw.deprecated === true) resource.deprecated = true;
  }
  resource.methods = buildMethods(api, path, raw, at, context);
  if (path.length >= MAX_DEPTH) {
    context.report(
      "shape-too-deep",
      `resources are nested deeper than ${MAX_DEPTH} levels; deeper resources are omitted`,
      at,
    );
    return resource;
  }
  for (const name of sortedKeys(raw.resources ?? {})) {
    children.push(
      buildResource(
        api,
        [...path, name],
        raw.resources![name]!,
        child(at, "resources", name),
        context,
      ),
    );
  }
  return resource;
}

function buildMethods(
  api: string,
  path: readonly string[],
  raw: RawResource,
  at: DocumentPath | undefined,
  context: BuildContext,
): Mutable<Method>[] {
  return sortedKeys(raw.methods ?? {}).flatMap((name) => {
    const id = [api, ...path, name].join(".");
    const method = buildMethod(
      id,
      name,
      raw.methods![name]!,
      child(at, "methods", name),
      context,
    );
    return method === undefined ? [] : [method];
  });
}
