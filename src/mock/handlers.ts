// This file is longer than 400 lines, because it contains one handler for each
// standard method, and the functions that these handlers share.
import type { Method } from "../model/ir.js";
import { methodsOf } from "../model/queries.js";
import type { AnyHandler, Call } from "../runtime/server/call.js";
import { reply } from "../runtime/server/call.js";
import { content, type ContentSource } from "../runtime/server/content.js";
import { ApiError } from "../runtime/server/error.js";
import { requestsEvents } from "../runtime/server/responses/events.js";
import { actionsOf, changesOf, type Action } from "./actions.js";
import { aggregationOf, scopeOf, type Aggregation } from "./aggregations.js";
import { withCorrespondingLists } from "./batches.js";
import { isJsonObject } from "./conform.js";
import { copyOf, copyResult, targetNames } from "./copies.js";
import { hasParameters, selectResources, withoutOtherLists } from "./lists.js";
import type {
  Caller,
  MockContext,
  Params,
  ResourceKey,
} from "./mock-context.js";
import { Operations } from "./operations.js";
import { pageOf, withLimit, withoutPageToken, withPage } from "./paging.js";
import { checkPreconditions } from "./preconditions.js";
import {
  actionKeys,
  pathOf,
  pathParameters,
  pathValuesOf,
  resourceKeyOf,
} from "./request-keys.js";
import { fieldsOf, withMembers } from "./resource-fields.js";
import { Resources, seededMedia } from "./resources.js";
import { isReferenceTo } from "./method-role.js";
import type { ListShape, MethodRole, ResourceType } from "./method-role.js";
import type { StoredMedia, StoredResource } from "./store.js";
import type { JsonObject } from "./values.js";

/** Request handlers for the methods of a mocked API. */
export class Handlers {
  readonly #resources = new Map<ResourceType, Resources>();
  readonly #operations: Operations;
  readonly #actions: ReadonlyMap<Method, Action>;
  readonly #types: readonly ResourceType[];

  constructor(
    readonly context: MockContext,
    readonly roles: ReadonlyMap<Method, MethodRole>,
  ) {
    this.#operations = new Operations(context, roles, (type) =>
      this.resourcesOf(type),
    );
    const types = [...roles.values()].map(({ resourceType }) => resourceType);
    this.#types = [...new Set(types)];
    const methods = methodsOf(context.api.root);
    this.#actions = actionsOf(methods, roles, context.definitions);
  }

  /**
   * Returns the handler of a method. If the method is not a standard method
   * (AIP-130) of a resource type, the handler returns generated data.
   */
  handlerOf(method: Method): AnyHandler {
    const { stream, redirects } = method;
    const role = this.roles.get(method);
    const aggregation =
      role === undefined
        ? aggregationOf(method, this.#types, this.context.definitions)
        : undefined;
    return (call) => {
      if (redirects === true)
        return `https://www.example.com/${encodeURIComponent(method.id)}`;
      const isEvents = stream?.format === "events";
      if (isEvents && requestsEvents({ when: stream.when ?? {} }, call.body))
        return this.#events(method, call);
      if (role !== undefined) return this.#resourceResponse(method, role, call);
      const action = this.#actions.get(method);
      if (action !== undefined)
        return this.#actionResponse(method, action, call);
      return aggregation === undefined
        ? this.#seededResponse(method, call)
        : this.#aggregatedResponse(method, aggregation, call);
    };
  }

  async *#events(method: Method, call: Call): AsyncGenerator<unknown> {
    const key = this.#keyOf(method, call.params as Params);
    for (let index = 0; index < 3; index++)
      yield this.context.maker.make(method.stream!.element, `${key}/${index}`);
  }

  /**
   * Returns a generated response that depends only on the method and its path
   * parameters. An operation is stored.
   */
  async #seededResponse(method: Method, call: Call): Promise<unknown> {
    const params = call.params as Params;
    // An upload is read completely even though the mock does not store it.
    if (call.media !== undefined) await drain(call);
    const key = this.#keyOf(method, params);
    if (call.wantsContent) return content(contentOf(seededMedia(key)));
    // Some clients decode a body of any type as JSON.
    if (method.rawResponse === true)
      return content({
        body: JSON.stringify({ content: `Content of ${key}` }),
        contentType: "application/json",
      });
    const generated = this.#responseOf(method, params, key);
    const { definitions, maker, empty } = this.context;
    const response = isJsonObject(generated)
      ? withCorrespondingLists(
          generated,
          call.body,
          method,
          key,
          maker,
          definitions,
        )
      : generated;
    if (method.operation !== undefined && method.httpMethod !== "GET")
      return this.#operations.complete(
        response as JsonObject,
        method,
        undefined,
        pathOf(method, params),
        this.#callerOf(method, call),
      );
    if (!isJsonObject(response)) return response;
    const items = method.paging?.items;
    if (items === undefined || items.isMap)
      return withoutPageToken(
        withLimit(response, params, call.body, empty),
        method,
      );
    const elements = response[items.field];
    if (!Array.isArray(elements)) return response;
    const existing = empty ? [] : elements;
    const page = pageOf(existing, method, params, call.body);
    return withPage(
      response,
      items.field,
      page,
      existing.length,
      method,
      definitions,
    );
  }

  #responseOf(method: Method, params: Params, key: string): unknown {
    const { maker, definitions } = this.context;
    const { response } = method;
    if (response === undefined) return undefined;
    const value = maker.make(response, key);
    if (response.kind !== "ref" || !isJsonObject(value)) return value;
    const names = pathParameters(method).map(({ name }) => name);
    const pathMembers = names.map((name) => [name, params[name]] as const);
    const fields = fieldsOf(response.id, definitions);
    return withMembers(value, fields, Object.fromEntries(pathMembers));
  }

  #keyOf(method: Method, params: Params): string {
    const values = pathParameters(method).map(({ name }) => params[name]);
    return `${this.context.seed}|${method.id}|${JSON.stringify(values)}`;
  }

  #callerOf(method: Method, { request, params }: Call): Caller {
    const { origin, mount = "" } = request;
    return {
      names: pathValuesOf(method, params as Params),
      root: `${origin}${mount}${this.context.basePath}/`,
    };
  }

  async #resourceResponse(
    method: Method,
    role: MethodRole,
    call: Call,
  ): Promise<unknown> {
    const params = call.params as Params;
    const resources = this.resourcesOf(role.resourceType);
    const media = call.media === undefined ? undefined : await readMedia(call);
    const caller = this.#callerOf(method, call);
    if (role.kind === "list")
      return this.#list(method, resources, call, role.list!, caller);
    const body = resourceIn(call.body, method, role);
    if (role.kind === "create")
      return this.#create(method, role, resources, call, body, media, caller);
    const key = resourceKeyOf(method, role, params, body, resources);
    const { request } = call;
    const found = resources.find(key, caller);
    const before = found?.value;
    if (!checkPreconditions(request, params, before))
      return reply(before, { status: 304 });
    if (role.kind === "get")
      return getResponse(call, found ?? resources.get(key, caller), key);
    let value: JsonObject;
    if (role.kind === "delete") value = resources.remove(key, caller);
    else if (role.kind === "patch") {
      const mask = maskOf(call, role);
      const lists = resources.listChanges(key, caller, params);
      const changed =
        Object.keys(lists).length === 0 ? body : { ...Object(body), ...lists };
      value = resources.patch(key, caller, mask, changed, media);
    } else {
      const isMissing = isDeleted(resources, key) && this.context.strict;
      if (isMissing) resources.get(key, caller);
      value = resources.put(key, caller, body, media);
    }
    if (call.wantsContent)
      return getResponse(call, resources.get(key, caller), key);
    return this.#responseToChange(method, role, value, key, params, caller);
  }

  /** Responds to a custom method on a resource. */
  async #actionResponse(
    method: Method,
    action: Action,
    call: Call,
  ): Promise<unknown> {
    const params = call.params as Params;
    const { resourceType, kind, resultField, canCreate } = action;
    const resources = this.resourcesOf(resourceType);
    const caller = this.#callerOf(method, call);
    const { definitions } = this.context;
    const [key, target] = actionKeys(method, action, params);
    if (kind !== "change") {
      const copy = copyOf(action, resources, call, key, caller);
      const id = target?.id ?? resources.chooseId(key.collection, copy.body);
      const place = { collection: (target ?? key).collection, id };
      const { value: before } = resources.find(place, caller) ?? {};
      checkPreconditions(call.request, params, before);
      const names = kind === "copy" && target === undefined ? {} : caller.names;
      const named = { ...caller, names: targetNames(names, target) };
      const value = resources.put(place, named, copy.body, copy.media);
      const role = { resourceType, resultField, kind: "create" as const };
      const response = this.#responseToChange(
        method,
        role,
        value,
        place,
        params,
        caller,
      );
      return resultField === undefined
        ? response
        : copyResult(response as JsonObject, method, copy.media, definitions);
    }
    const { response, operation } = method;
    const isReturned =
      resultField !== undefined ||
      isReferenceTo(response, resourceType.schemaId);
    const isTarget =
      operation?.style === "status" ||
      isReferenceTo(operation?.result, resourceType.schemaId);
    const mustExist =
      isReturned ||
      // Without a colon, the last segment can be a collection below the resource.
      (action.isToken && canCreate && !resources.isGenerated(key.collection));
    const before = mustExist
      ? resources.get(key, caller)
      : resources.find(key, caller);
    const changes =
      before === undefined || resourceType.isOperation
        ? {}
        : changesOf(
            action,
            method,
            before.value,
            { body: call.body, params },
            definitions,
          );
    const value =
      Object.keys(changes).length === 0
        ? before?.value
        : resources.change(key, caller, changes);
    if (value === undefined || !(isReturned || isTarget))
      return this.#seededResponse(method, call);
    if (call.media !== undefined) await drain(call);
    const role = { resourceType, resultField, kind: "patch" as const };
    return this.#responseToChange(method, role, value, key, params, caller);
  }

  /** Returns the resources of a type. */
  resourcesOf(resourceType: ResourceType): Resources {
    let resources = this.#resources.get(resourceType);
    if (resources === undefined) {
      resources = new Resources(resourceType, this.context);
      this.#resources.set(resourceType, resources);
    }
    return resources;
  }

  #list(
    method: Method,
    resources: Resources,
    call: Call,
    { field, itemId }: ListShape,
    caller: Caller,
  ): unknown {
    const { definitions } = this.context;
    const params = call.params as Params;
    const collection = pathOf(method, params);
    const { schemaId } = resources.resourceType;
    const fields = fieldsOf(schemaId, definitions);
    const all = this.#collectionsOf(collection).flatMap((path) =>
      resources
        .listIds(path)
        .map((id) => ({
          value: resources.get({ collection: path, id }, caller).value,
          // Generated resources fit the parameters of every request.
          isGenerated: this.context.store.find(path, id) === undefined,
        }))
        .filter(
          ({ value, isGenerated }) =>
            isGenerated || hasParameters(value, params, method, fields),
        )
        .map(({ value }) => value),
    );
    const { selected, prefixes } = selectResources(all, params, method, fields);
    const { items, next } = pageOf(selected, method, params, call.body);
    const values =
      itemId === undefined
        ? items
        : items.map((value) => resources.project(value, itemId));
    if (field === "") return values;
    const answer = this.#listFrame(method, params, caller, prefixes);
    const page = { items: values, next };
    return withPage(answer, field, page, selected.length, method, definitions);
  }

  /** Lists the resources of the changed collections by their scopes. */
  #aggregatedResponse(
    method: Method,
    aggregation: Aggregation,
    call: Call,
  ): unknown {
    const { store, empty, definitions } = this.context;
    const params = call.params as Params;
    const caller = this.#callerOf(method, call);
    const path = pathOf(method, params);
    const { field, member, resourceTypes } = aggregation;
    const scopes = resourceTypes.flatMap((resourceType) => {
      const resources = this.resourcesOf(resourceType);
      const fields = fieldsOf(resourceType.schemaId, definitions);
      return store.collections().flatMap((collection) => {
        const scope = scopeOf(collection, path, resourceType, aggregation);
        if (scope === undefined) return [];
        const all = resources
          .listIds(collection)
          .map((id) => resources.get({ collection, id }, caller).value);
        const { selected } = selectResources(all, params, method, fields);
        return selected.length === 0
          ? []
          : [[scope, { [member]: selected }] as const];
      });
    });
    if (scopes.length === 0 && !empty)
      return this.#seededResponse(method, call);
    const frame = this.#listFrame(method, params, caller, undefined);
    const response = { ...frame, [field]: Object.fromEntries(scopes) };
    return withoutPageToken(response, method);
  }

  /** Returns the response of a list method without resources. */
  #listFrame(
    method: Method,
    params: Params,
    caller: Caller,
    prefixes: readonly string[] | undefined,
  ): JsonObject {
    const key = this.#keyOf(method, params);
    const generated = this.#responseOf(method, params, key) as JsonObject;
    const { root } = caller;
    const linked =
      root !== undefined && "selfLink" in generated
        ? { ...generated, selfLink: this.#urlOf(pathOf(method, params), root) }
        : generated;
    const { definitions } = this.context;
    return withoutOtherLists(linked, method, definitions, prefixes);
  }

  /**
   * Returns a collection, and the changed collections that it includes: `-` is a
   * wildcard for the id of a parent (AIP-159).
   */
  #collectionsOf(collection: string): readonly string[] {
    const segments = collection.split("/");
    if (!segments.includes("-")) return [collection];
    const included = this.context.store.collections().filter((other) => {
      const others = other.split("/");
      return (
        other !== collection &&
        others.length === segments.length &&
        segments.every(
          (segment, index) => segment === "-" || segment === others[index],
        )
      );
    });
    return [collection, ...included];
  }

  #urlOf(path: string, root: string): string {
    return `${root}${this.context.api.servicePath}${path}`;
  }

  #create(
    method: Method,
    role: MethodRole,
    resources: Resources,
    call: Call,
    body: unknown,
    media: StoredMedia | undefined,
    caller: Caller,
  ): unknown {
    const params = call.params as Params;
    const path = pathOf(method, params, role);
    // The last segment of drives/{requestId} is not part of the collection.
    const hasToken = "name" in method.tokens.at(-1)!;
    const collection = hasToken ? path.slice(0, path.lastIndexOf("/")) : path;
    const around = role.bodyField === undefined ? undefined : call.body;
    const chosen = resources.ids.chosenBy(
      collection,
      params,
      body,
      method,
      around,
    );
    const key = { collection, id: chosen ?? resources.generateId(collection) };
    const exists = resources.has(key);
    const before = exists ? resources.find(key, caller)?.value : undefined;
    checkPreconditions(call.request, params, before);
    if (chosen !== undefined && media === undefined && exists)
      throw new ApiError(409, `Already exists: ${chosen.slice(0, 200)}`, {
        reason: "duplicate",
        code: "ALREADY_EXISTS",
      });
    const value = resources.put(key, caller, body, media);
    if (call.wantsContent)
      return getResponse(call, resources.get(key, caller), key);
    return this.#responseToChange(method, role, value, key, params, caller);
  }

  /** Returns the response of a method that changed a resource. */
  #responseToChange(
    method: Method,
    {
      resourceType,
      resultField,
      kind,
    }: Pick<MethodRole, "resourceType" | "resultField" | "kind">,
    value: JsonObject,
    key: ResourceKey,
    params: Params,
    caller: Caller,
  ): unknown {
    const { response, operation } = method;
    const { schemaId, prefix } = resourceType;
    if (response?.kind === "ref" && response.id === schemaId) return value;
    const answer = this.#responseOf(
      method,
      params,
      this.#keyOf(method, params),
    ) as JsonObject;
    if (resultField !== undefined) return { ...answer, [resultField]: value };
    if (operation === undefined) return answer;
    const path = `${key.collection}/${key.id}`;
    const target = {
      type: schemaId,
      value: kind === "delete" ? undefined : value,
      link: this.resourcesOf(resourceType).linkOf(key, caller.root ?? ""),
      name: prefix === undefined ? key.id : path.slice(prefix.length),
    };
    return this.#operations.complete(answer, method, target, path, caller);
  }
}

/** Returns a resource, or its content. */
function getResponse(
  call: Call,
  { value, media }: StoredResource,
  key: ResourceKey,
): unknown {
  const { etag } = value;
  const quoted =
    typeof etag === "string" && etag !== ""
      ? etag.startsWith('"')
        ? etag
        : `"${etag}"`
      : undefined;
  if (!call.wantsContent)
    return quoted === undefined
      ? value
      : reply(value, { headers: { etag: quoted } });
  const stored = media ?? seededMedia(`${key.collection}/${key.id}`);
  return content({
    ...contentOf(stored),
    ...(quoted === undefined ? {} : { etag: quoted }),
  });
}

function contentOf({ bytes, contentType }: StoredMedia): ContentSource {
  return { body: bytes, contentType };
}

/**
 * Returns the resource in the body of a request; undefined if the body has
 * another schema.
 */
function resourceIn(
  body: unknown,
  { rawRequest }: Method,
  { bodyField }: MethodRole,
): unknown {
  if (rawRequest === true) return undefined;
  return bodyField === undefined ? body : Object(body)[bodyField];
}

/** Names of a field mask; `updatePersonFields` is one too. */
const MASK = /^([uU]pdate_?[mM]ask|[fF]ield_?[mM]ask|update[A-Z]\w*Fields)$/;

/** Returns the field mask in the query, or beside the resource in the body. */
function maskOf(
  { params, body }: Call,
  { bodyField }: MethodRole,
): string | undefined {
  const around = bodyField === undefined ? {} : (Object(body) as JsonObject);
  const values = { ...around, ...(params as Params) };
  const name = Object.keys(values).find((key) => MASK.test(key));
  const mask = values[name ?? ""];
  return typeof mask === "string" ? mask : undefined;
}

/** Tests whether a caller deleted the resource. */
function isDeleted(
  { context }: Resources,
  { collection, id }: ResourceKey,
): boolean {
  return context.store.find(collection, id) === "deleted";
}

async function readMedia({ media }: Call): Promise<StoredMedia> {
  const { contentType } = media!;
  return { bytes: await media!.bytes(), contentType };
}

async function drain({ media }: Call): Promise<void> {
  for await (const _ of media!.chunks());
}
