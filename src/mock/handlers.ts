// This file is longer than 250 lines because it contains one handler for each
// standard method, and the functions that these handlers share.
import type { Definition, Method, Parameter, Schema } from "../model/ir.js";
import type { AnyHandler, Call } from "../runtime/server/call.js";
import { content, type Content } from "../runtime/server/content.js";
import { ApiError } from "../runtime/server/error.js";
import { requestsEvents } from "../runtime/server/responses/events.js";
import { isJsonObject } from "./conform.js";
import type { MockContext, Params, ResourceKey } from "./mock-context.js";
import { pageOf, withPage } from "./paging.js";
import { fieldsOf, withMembers } from "./resource-fields.js";
import { Resources } from "./resources.js";
import { listFieldOf, type MethodRole, type ResourceType } from "./roles.js";
import type { StoredMedia } from "./store.js";
import type { JsonObject } from "./values.js";

/** Request handlers for the methods of a mocked API. */
export class Handlers {
  readonly #resources = new Map<ResourceType, Resources>();

  constructor(
    readonly context: MockContext,
    readonly roles: ReadonlyMap<Method, MethodRole>,
  ) {}

  /**
   * Returns the handler of a method. If the method is not a standard method
   * (AIP-130) of a resource type, the handler returns generated data.
   */
  handlerOf(method: Method): AnyHandler {
    const { stream, redirects } = method;
    const role = this.roles.get(method);
    return (call) => {
      if (redirects === true)
        return `https://www.example.com/${encodeURIComponent(method.id)}`;
      const isEvents = stream?.format === "events";
      if (isEvents && requestsEvents({ when: stream.when ?? {} }, call.body))
        return this.#events(method, call);
      return role === undefined
        ? this.#seededResponse(method, call)
        : this.#resourceResponse(method, role, call);
    };
  }

  async *#events(method: Method, call: Call): AsyncGenerator<unknown> {
    const key = this.#keyOf(method, call.params as Params);
    for (let index = 0; index < 3; index++)
      yield this.context.maker.make(method.stream!.element, `${key}/${index}`);
  }

  /**
   * Returns a generated response that depends only on the method and its path
   * parameters.
   */
  async #seededResponse(method: Method, call: Call): Promise<unknown> {
    const params = call.params as Params;
    // An upload is read completely even though the mock does not store it.
    if (call.media !== undefined) await drain(call);
    const key = this.#keyOf(method, params);
    if (call.wantsContent || method.rawResponse === true)
      return seededContent(key);
    const response = this.#responseOf(method, params, key);
    const items = method.paging?.items;
    if (items === undefined || items.isMap || !isJsonObject(response))
      return response;
    const elements = response[items.field];
    if (!Array.isArray(elements)) return response;
    const page = pageOf(elements, method, params, call.body);
    const { definitions } = this.context;
    return withPage(
      response,
      items.field,
      page,
      elements.length,
      method,
      definitions,
    );
  }

  #responseOf(method: Method, params: Params, key: string): unknown {
    const { maker, definitions } = this.context;
    const { response } = method;
    if (response === undefined) return undefined;
    const value = maker.make(response, key);
    if (method.operation !== undefined)
      return completedOperation(
        value as JsonObject,
        method,
        undefined,
        this.context,
      );
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

  async #resourceResponse(
    method: Method,
    role: MethodRole,
    call: Call,
  ): Promise<unknown> {
    const params = call.params as Params;
    const resources = this.resourcesOf(role.resourceType);
    const media = call.media === undefined ? undefined : await readMedia(call);
    if (role.kind === "list") return this.#list(method, resources, call);
    if (role.kind === "create")
      return this.#create(method, resources, call, media);
    const resource = resourceKeyOf(method, role.resourceType, params);
    const names = pathValuesOf(method, params);
    switch (role.kind) {
      case "get": {
        const stored = resources.get(resource, names);
        if (!call.wantsContent) return stored.value;
        return stored.media === undefined
          ? seededContent(`${resource.collection}/${resource.id}`)
          : content({ ...stored.media, body: stored.media.bytes });
      }
      case "patch":
        return this.#responseToChange(
          method,
          role.resourceType,
          resources.patch(resource, names, params, call.body, media),
          params,
        );
      case "replace":
        if (this.context.strict && isDeleted(resources, resource))
          resources.get(resource, names);
        return this.#responseToChange(
          method,
          role.resourceType,
          resources.put(resource, names, call.body, media),
          params,
        );
      case "delete":
        return this.#responseToChange(
          method,
          role.resourceType,
          resources.remove(resource, names),
          params,
        );
    }
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

  #list(method: Method, resources: Resources, call: Call): unknown {
    const { definitions } = this.context;
    const params = call.params as Params;
    const collection = pathOf(method, params);
    const ids = resources.listIds(collection);
    const { items, next } = pageOf(ids, method, params, call.body);
    const values = items.map(
      (id) =>
        resources.get({ collection, id }, pathValuesOf(method, params)).value,
    );
    const field = listFieldOf(
      method,
      resources.resourceType.schemaId,
      definitions,
    )!;
    if (field === "") return values;
    const key = this.#keyOf(method, params);
    const answer = this.#responseOf(method, params, key) as JsonObject;
    const page = { items: values, next };
    return withPage(answer, field, page, ids.length, method, definitions);
  }

  #create(
    method: Method,
    resources: Resources,
    call: Call,
    media: StoredMedia | undefined,
  ): unknown {
    const { store, seed } = this.context;
    const params = call.params as Params;
    const collection = pathOf(method, params);
    const chosen = resources.ids.chosenBy(
      collection,
      params,
      call.body,
      method,
    );
    const id =
      chosen ??
      resources.ids.generate(`${seed}|${collection}|${store.changes}`);
    const resource = { collection, id };
    if (chosen !== undefined && media === undefined && resources.has(resource))
      throw new ApiError(409, `Already exists: ${chosen.slice(0, 200)}`, {
        reason: "duplicate",
        code: "ALREADY_EXISTS",
      });
    const names = pathValuesOf(method, params);
    const value = resources.put(resource, names, call.body, media);
    return this.#responseToChange(
      method,
      resources.resourceType,
      value,
      params,
    );
  }

  /** Returns the response of a method that changed a resource. */
  #responseToChange(
    method: Method,
    { schemaId }: ResourceType,
    value: JsonObject,
    params: Params,
  ): unknown {
    const { response, operation } = method;
    if (response?.kind === "ref" && response.id === schemaId) return value;
    const answer = this.#responseOf(
      method,
      params,
      this.#keyOf(method, params),
    );
    return operation === undefined
      ? answer
      : completedOperation(
          answer as JsonObject,
          method,
          { type: schemaId, value },
          this.context,
        );
  }
}

/** Tests whether a caller deleted the resource. */
function isDeleted(
  { context }: Resources,
  { collection, id }: ResourceKey,
): boolean {
  return context.store.find(collection, id) === "deleted";
}

function pathParameters({ parameters }: Method): readonly Parameter[] {
  return parameters.filter(({ location }) => location === "path");
}

function pathValuesOf(method: Method, params: Params): Params {
  const names = pathParameters(method).map(({ name }) => name);
  return Object.fromEntries(names.map((name) => [name, params[name]]));
}

/** Returns the path of a request without its custom verb, such as `:cancel`. */
function pathOf({ tokens }: Method, params: Params): string {
  const texts = tokens.map((token) => {
    if (token.kind === "verb") return "";
    if (token.kind === "literal") return token.text;
    const text = String(params[token.name] ?? "");
    return token.kind === "multi" ? text : encodeURIComponent(text);
  });
  let path = texts.join("");
  while (path.endsWith("/")) path = path.slice(0, -1);
  return path;
}

/** Returns the collection and id of the resource that a request addresses. */
function resourceKeyOf(
  method: Method,
  resourceType: ResourceType,
  params: Params,
): ResourceKey {
  const path = pathOf(method, params);
  if (resourceType.isSingleton) return { collection: path, id: "" };
  const last = method.tokens.at(-1)!;
  const value = "name" in last ? String(params[last.name] ?? "") : "";
  const end = path.lastIndexOf("/");
  // A variable that matches one segment can contain encoded slashes, so the id
  // is the value of the variable, not the end of the path.
  const id = resourceType.prefix === undefined ? value : path.slice(end + 1);
  return { collection: path.slice(0, end), id };
}

async function readMedia({ media }: Call): Promise<StoredMedia> {
  const { contentType } = media!;
  return { bytes: await media!.bytes(), contentType };
}

async function drain({ media }: Call): Promise<void> {
  for await (const _ of media!.chunks());
}

function seededContent(key: string): Content {
  const body = new TextEncoder().encode(`Content of ${key}\n`);
  return content({ body, contentType: "text/plain; charset=utf-8" });
}

/**
 * Result of a long-running operation: the resource that it created or changed.
 */
interface OperationResult {
  /** Id of the resource's schema. */
  readonly type: string;
  readonly value: JsonObject;
}

/** Returns a long-running operation that completed without an error. */
function completedOperation(
  operation: JsonObject,
  method: Method,
  result: OperationResult | undefined,
  { definitions, maker, seed }: MockContext,
): JsonObject {
  const { response } = method;
  const fields = fieldsOf(
    response?.kind === "ref" ? response.id : "",
    definitions,
  );
  const { error: _, ...rest } = operation;
  if (method.operation?.style === "status") {
    const status = finalStatus(fields.get("status")!.schema, definitions);
    return withMembers({ ...rest, ...status }, fields, { progress: 100 });
  }
  const declaredResult = method.operation?.result;
  const value =
    result ??
    (declaredResult?.kind === "ref"
      ? {
          type: declaredResult.id,
          value: maker.make(
            declaredResult,
            `${seed}|${method.id}`,
          ) as JsonObject,
        }
      : undefined);
  const schema = fields.get("response")?.schema;
  if (value === undefined || schema?.kind === undefined)
    return { ...rest, done: true };
  return {
    ...rest,
    done: true,
    response: {
      "@type": `type.googleapis.com/${value.type}`,
      ...value.value,
    },
  };
}

/**
 * Returns a status member that says that an operation is done; an empty object
 * if the enum has no such value, so that the generated one remains.
 */
function finalStatus(
  schema: Schema,
  definitions: ReadonlyMap<string, Definition>,
): { status?: string } {
  const body =
    schema.kind === "ref" ? definitions.get(schema.id)?.body : schema;
  if (body?.kind !== "enum") return { status: "DONE" };
  const values = body.values.map(({ value }) => value);
  const found = values.find((value) => FINAL_STATUS.test(value));
  return found === undefined ? {} : { status: found };
}

const FINAL_STATUS = /^(done|completed?|succeeded|success)$/i;
