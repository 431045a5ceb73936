import type { Field, Method, Schema } from "../model/ir.js";
import { ApiError } from "../runtime/server/error.js";
import {
  Conformer,
  isJsonObject,
  mergePatch,
  selectMasked,
} from "./conform.js";
import type { MockContext, Params, ResourceKey } from "./mock-context.js";
import { Random } from "./random.js";
import {
  etagOf,
  fieldsOf,
  mediaFields,
  timesOf,
  withMembers,
} from "./resource-fields.js";
import type { ResourceType } from "./roles.js";
import type { StoredMedia, StoredResource } from "./store.js";
import { identifierOf, textFor } from "./texts.js";
import type { JsonObject } from "./values.js";

/**
 * Initial time of a mock's clock. Each change to a resource advances the clock
 * by one second.
 */
const CLOCK_START = Date.UTC(2025, 0, 1);

/** Number of generated resources in a collection. */
const SEEDED_COUNT = 3;

/**
 * Resources of one type: generated resources, and resources that callers
 * created or changed.
 */
export class Resources {
  readonly ids: ResourceIds;
  readonly #fields: ReadonlyMap<string, Field>;
  readonly #schema: Schema;
  readonly #conformer: Conformer;

  constructor(
    readonly resourceType: ResourceType,
    readonly context: MockContext,
  ) {
    this.#fields = fieldsOf(resourceType.schemaId, context.definitions);
    this.#schema = { kind: "ref", id: resourceType.schemaId };
    this.ids = new ResourceIds(resourceType, this.#fields);
    this.#conformer = new Conformer(context.definitions, context.maker);
  }

  /**
   * Returns all ids of a collection: first the generated resources, then those
   * that callers created.
   */
  listIds(collection: string): string[] {
    const { seed, store } = this.context;
    const count = this.#isGenerated(collection) ? SEEDED_COUNT : 0;
    const seeded = Array.from({ length: count }, (_, index) =>
      this.ids.generate(`${seed}|${collection}#${index}`),
    ).filter((id) => store.find(collection, id) !== "deleted");
    return [...new Set([...seeded, ...store.ids(collection)])];
  }

  /** @throws ApiError 404 if the resource does not exist */
  get(key: ResourceKey, params: Params): StoredResource {
    const { store, strict } = this.context;
    const stored = store.find(key.collection, key.id);
    if (stored === "deleted") throw notFound(key);
    if (stored !== undefined) return stored;
    const isListed =
      this.resourceType.isSingleton ||
      (!strict && this.#isGenerated(key.collection)) ||
      this.listIds(key.collection).includes(key.id);
    if (!isListed) throw notFound(key);
    return { value: this.#seeded(key, params) };
  }

  /**
   * Tests whether a resource exists: the mock generated it, or a caller created
   * it.
   */
  has({ collection, id }: ResourceKey): boolean {
    return this.listIds(collection).includes(id);
  }

  /** Tests whether a collection contains generated resources. */
  #isGenerated(collection: string): boolean {
    const { empty, store } = this.context;
    return !empty && !store.isComplete(collection);
  }

  /**
   * Stores a resource as given, with its id, names and `kind` if they are
   * missing. Returns the id.
   *
   * @throws ApiError 409 if the collection contains the id
   */
  load(
    collection: string,
    value: JsonObject,
    known: {
      readonly id?: string | undefined;
      readonly media?: StoredMedia | undefined;
    },
  ): string {
    const { store, seed } = this.context;
    const { isSingleton } = this.resourceType;
    const id = isSingleton
      ? ""
      : (known.id ??
        this.ids.chosenBy(collection, {}, value, undefined) ??
        this.ids.generate(`${seed}|${collection}|${store.changes}`));
    const key = { collection, id };
    if (store.find(collection, id) !== undefined)
      throw new ApiError(409, `Already exists: ${id.slice(0, 200)}`);
    const named = { ...this.#withNames({}, key, {}), ...value };
    const kind = this.#fields.get("kind")?.constraints.default;
    const full =
      kind === undefined || "kind" in named ? named : { kind, ...named };
    store.put(collection, id, { value: full, media: known.media });
    return id;
  }

  /** Creates or replaces a resource. */
  put(
    key: ResourceKey,
    params: Params,
    body: unknown,
    media: StoredMedia | undefined,
  ): JsonObject {
    const old = this.context.store.find(key.collection, key.id);
    const before = typeof old === "object" ? old : undefined;
    const seed = seedOf(this.context, key);
    const submitted = this.#conformer.conform(this.#schema, body ?? {}, seed);
    const base = before ?? {
      value: this.#serviceFields(this.#seeded(key, params)),
    };
    const value = {
      ...this.#serviceFields(base.value),
      ...(isJsonObject(submitted) ? submitted : {}),
    };
    return this.#store(key, params, value, media ?? before?.media, !before);
  }

  /** Updates members of a resource. */
  patch(
    key: ResourceKey,
    params: Params,
    query: Params,
    body: unknown,
    media: StoredMedia | undefined,
  ): JsonObject {
    const before = this.get(key, params);
    const mask = query["updateMask"] ?? query["update_mask"];
    const patch = isJsonObject(body) ? body : {};
    const change =
      typeof mask === "string" && mask !== ""
        ? selectMasked(patch, mask)
        : patch;
    const merged = mergePatch(before.value, change);
    const submitted = this.#conformer.conform(
      this.#schema,
      merged,
      seedOf(this.context, key),
    ) as JsonObject;
    const value = { ...this.#serviceFields(before.value), ...submitted };
    return this.#store(key, params, value, media ?? before.media, false);
  }

  /** @throws ApiError 404 if the resource does not exist */
  remove(key: ResourceKey, params: Params): JsonObject {
    const { value } = this.get(key, params);
    this.context.store.remove(key.collection, key.id);
    return value;
  }

  #store(
    key: ResourceKey,
    params: Params,
    value: JsonObject,
    media: StoredMedia | undefined,
    isNew: boolean,
  ): JsonObject {
    const { store } = this.context;
    const version = `${seedOf(this.context, key)}#${store.changes}`;
    const serviceFields = {
      ...timesOf(this.#fields, CLOCK_START + 1000 * store.changes, isNew),
      ...etagOf(this.#fields, version),
      ...(media && mediaFields(this.#fields, media.bytes, media.contentType)),
    };
    const full = this.#withNames({ ...value, ...serviceFields }, key, params);
    store.put(key.collection, key.id, { value: full, media });
    return full;
  }

  #seeded(key: ResourceKey, params: Params): JsonObject {
    const seed = seedOf(this.context, key);
    const value = this.context.maker.make(this.#schema, seed) as JsonObject;
    return this.#withNames(
      { ...value, ...etagOf(this.#fields, seed) },
      key,
      params,
    );
  }

  /**
   * Returns a copy of a resource with only those members that callers can't
   * set.
   */
  #serviceFields(value: JsonObject): JsonObject {
    return Object.fromEntries(
      Object.entries(value).filter(([name]) => {
        const field = this.#fields.get(name);
        return field?.flags.readOnly !== undefined || isServiceField(name);
      }),
    );
  }

  /** Sets the id, `selfLink` and path parameters of a resource. */
  #withNames(
    value: JsonObject,
    { collection, id }: ResourceKey,
    params: Params,
  ): JsonObject {
    const { api } = this.context;
    const { prefix, isSingleton } = this.resourceType;
    const path = isSingleton ? collection : `${collection}/${id}`;
    const idField = this.ids.field;
    const name = prefix === undefined ? id : path.slice(prefix.length);
    const texts = Object.entries(params).filter(
      ([, param]) => typeof param === "string",
    );
    const named = withMembers(value, this.#fields, {
      ...Object.fromEntries(isSingleton ? [] : texts.filter(isPlainName)),
      selfLink: `${api.rootUrl}${api.servicePath}${path}`,
      ...(idField === undefined || isSingleton ? {} : { [idField]: name }),
    });
    return idField === undefined && !isSingleton
      ? this.#withNestedId(named, id)
      : named;
  }

  /** Sets the id in a nested reference object, such as `datasetReference`. */
  #withNestedId(value: JsonObject, id: string): JsonObject {
    const { definitions } = this.context;
    for (const { name, schema } of this.#fields.values()) {
      if (schema.kind !== "ref" || !isJsonObject(value[name])) continue;
      const fields = fieldsOf(schema.id, definitions);
      if (!fields.has(this.resourceType.variable ?? "")) continue;
      const inner = { [this.resourceType.variable!]: id };
      return { ...value, [name]: withMembers(value[name], fields, inner) };
    }
    return value;
  }
}

/**
 * Pattern that matches the names of fields that a service sets, even if the
 * document does not mark them as read-only.
 */
const SERVICE_FIELD =
  /^(kind|id|etag|self_?link|generation|metageneration|created|updated)$/i;

/**
 * Tests whether the service sets a field. True for names that match
 * SERVICE_FIELD and for creation or modification times such as
 * `lastModifiedTime`.
 */
function isServiceField(name: string): boolean {
  if (SERVICE_FIELD.test(name)) return true;
  const word = name.split(/\W/).at(-1)!;
  const stem = word.replace(/(time|date|stamp|at)$/i, "");
  return stem !== word && /creat|updat|modif|insert/i.test(stem);
}

function isPlainName([name]: [string, unknown]): boolean {
  return /^[a-z]\w*$/i.test(name) && !/^(name|alt|fields|key)$/.test(name);
}

function seedOf(
  { seed }: MockContext,
  { collection, id }: ResourceKey,
): string {
  return `${seed}|${collection}/${id}`;
}

function notFound({ collection, id }: ResourceKey): ApiError {
  const path = id === "" ? collection : `${collection}/${id}`;
  return new ApiError(404, `Not found: ${path.slice(0, 200)}`);
}

class ResourceIds {
  /**
   * Name of the field that contains the id; undefined if the schema has no id
   * field.
   */
  readonly field: string | undefined;
  readonly #resourceType: ResourceType;
  readonly #isNumber: boolean;

  constructor(resourceType: ResourceType, fields: ReadonlyMap<string, Field>) {
    const { parameter } = resourceType;
    this.#resourceType = resourceType;
    this.field = idFieldOf(resourceType, fields);
    const field = fields.get(this.field ?? "");
    this.#isNumber = [field?.schema, parameter?.schema].some(isNumeric);
  }

  /** Generates an id in the format that the resource type uses. */
  generate(key: string): string {
    const random = new Random(key);
    const { prefix } = this.#resourceType;
    if (this.#isNumber || this.field !== "name" || prefix !== undefined)
      return identifierOf(random, this.#isNumber);
    return `${textFor("name", random)}-${random.below(1000)}`;
  }

  /**
   * Returns the id that the caller chose for a new resource, in the query
   * string or the body of the request.
   */
  chosenBy(
    collection: string,
    params: Params,
    body: unknown,
    method: Method | undefined,
  ): string | undefined {
    const { variable } = this.#resourceType;
    const plural = collection
      .slice(collection.lastIndexOf("/") + 1)
      .toLowerCase();
    const names = method?.parameters.map(({ name }) => name) ?? [];
    const queryName = names.find((name) => {
      const stem = /^(.+?)_?id$/i.exec(name)?.[1]?.toLowerCase();
      return (
        name === variable ||
        (method?.upload !== undefined && name === "name") ||
        (stem !== undefined && plural.startsWith(stem.replace(/y$/, "")))
      );
    });
    const bodyId = isJsonObject(body) ? body[this.field ?? ""] : undefined;
    const chosen = params[queryName ?? ""] ?? bodyId;
    const text =
      typeof chosen === "string" || typeof chosen === "number"
        ? String(chosen)
        : nestedId(body, variable);
    return text === undefined
      ? undefined
      : lastSegmentOf(text, this.#resourceType);
  }
}

function idFieldOf(
  { variable = "", prefix }: ResourceType,
  fields: ReadonlyMap<string, Field>,
): string | undefined {
  const isId = /id$/i.test(variable);
  const candidates =
    prefix !== undefined
      ? [variable, "name", "resourceName"]
      : isId
        ? [variable, "id"]
        : [variable, "name", "id", `${variable}Id`];
  return candidates.find((name) => fields.has(name));
}

function isNumeric(schema: Schema | undefined): boolean {
  if (schema?.kind !== "scalar") return false;
  return schema.type === "string"
    ? /^u?int64$/.test(schema.format ?? "")
    : schema.type === "integer" || schema.type === "number";
}

/**
 * Returns the id in a nested reference object of the body, such as
 * `datasetReference.datasetId`.
 */
function nestedId(
  body: unknown,
  variable: string | undefined,
): string | undefined {
  if (!isJsonObject(body) || variable === undefined) return undefined;
  for (const member of Object.values(body)) {
    const id = isJsonObject(member) ? member[variable] : undefined;
    if (typeof id === "string" && id !== "") return id;
  }
  return undefined;
}

/**
 * Returns the last segment of a full resource name; other ids are returned
 * unchanged.
 */
function lastSegmentOf(
  text: string,
  { prefix }: ResourceType,
): string | undefined {
  const last = prefix === undefined ? text : text.replace(/^.*\//s, "");
  return last === "" ? undefined : last;
}
