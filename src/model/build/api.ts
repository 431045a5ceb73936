import { sortedKeys } from "../../load/canonical.js";
import type { RawDocument, RawSchema } from "../../load/raw.js";
import type { Sink } from "../../diagnostics/sink.js";
import type {
  Api,
  Definition,
  Mutable,
  Endpoint,
  Method,
  Resource,
} from "../ir.js";
import { breakAliasCycles } from "../infer/aliases.js";
import { splitByDirection } from "../infer/direction.js";
import { markRawBodies } from "../infer/raw-bodies.js";
import { detectOperation, findPolls } from "../infer/operations.js";
import { detectTokenPagination } from "../infer/token-pagination.js";
import { markRequiredMembers } from "../infer/required-fields.js";
import { documentationOrigin } from "../infer/absolute-links.js";
import { checkDocument } from "../infer/document-checks.js";
import { dropAbsent } from "./absent.js";
import { BuildContext, child } from "./context.js";
import { documentExtensions } from "./extensions.js";
import { checkKeys } from "./keys.js";
import { buildParameter } from "./parameter.js";
import { buildResource } from "./resource.js";
import { buildDefinition } from "./schema.js";

/** Settings of the model. */
export interface BuildOptions {
  /** Let "Required." and "Output only." in descriptions bind types. */
  readonly trustProse: boolean;
}

/** Builds the model of a checked document; reports what it had to decide. */
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
  detectPatterns(root, options.trustProse, context);
  for (const [method, poll] of findPolls(root))
    (method as Mutable<Method>).operation = { ...method.operation!, poll };
  splitByDirection(context.definitions, root, options.trustProse);
  context.reportUnknownKeys();
  return {
    ...identity(document, context),
    ...address(document, context),
    ...shared(document, context),
    ...documentExtensions(document, context),
    definitions: orderDefinitions(context),
    root,
  } as Api;
}

/** Detects paging, operations and bodies, which need all definitions. */
function detectPatterns(
  resource: Resource,
  trustProse: boolean,
  context: BuildContext,
): void {
  const definitions = context.definitions as ReadonlyMap<string, Definition>;
  for (const method of resource.methods as Mutable<Method>[]) {
    const paging = detectTokenPagination(
      method,
      resource.name,
      definitions,
      context,
    );
    const operation = detectOperation(method, definitions);
    markRawBodies(method, definitions);
    markRequiredMembers(method, definitions, trustProse);
    if (paging !== undefined) method.paging = paging;
    if (operation === undefined) delete method.operation;
    else method.operation = { ...method.operation, ...operation };
  }
  for (const child of resource.children)
    detectPatterns(child, trustProse, context);
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
      "the document has no rootUrl; clients must be given one",
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

/** Definitions in canonical order, each followed by the inline ones it owns. */
function orderDefinitions(context: BuildContext): Definition[] {
  const owned = new Map<string, Definition[]>();
  const ordered: Definition[] = [];
  for (const definition of context.definitions.values() as Iterable<Definition>) {
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
  for (const definition of context.definitions.values() as Iterable<Definition>) {
    const owner = definition.inline?.owner;
    if (owner === undefined || !context.definitions.has(owner))
      visit(definition);
  }
  return ordered;
}

function slashed(url: string): string {
  return url.endsWith("/") ? url : `${url}/`;
}
