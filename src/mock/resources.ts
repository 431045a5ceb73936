// Longer than other files: what each kind of call does to a resource, one beside the other.

import type { Api, Definition, Field, Method, Schema } from "../model/ir.js";
import { ApiError } from "../runtime/server/error.js";
import {
  Conformer,
  selectMasked,
  mergePatch,
  isJsonObject,
} from "./conform.js";
import {
  etagOf,
  fieldsOf,
  mediaFields,
  timesOf,
  withMembers,
} from "./resource-fields.js";
import { Random } from "./random.js";
import type { ResourceType } from "./roles.js";
import { Store, type StoredResource, type StoredMedia } from "./store.js";
import type { JsonObject, ValueMaker } from "./values.js";
import { identifierOf, textFor } from "./texts.js";

/** Where a resource is: the path of its collection as it was called, and its id there. */
export interface ResourceKey {
  readonly collection: string;
  /** Empty where there is one only. */
  readonly id: string;
}

/** What was decoded of a request. */
export type Params = Readonly<Record<string, unknown>>;

/** What the mock was asked for, and what it is made of. */
export interface MockContext {
  readonly api: Api;
  readonly definitions: ReadonlyMap<string, Definition>;
  readonly maker: ValueMaker;
  readonly store: Store;
  readonly seed: string;
  /** Whether only what is listed or was made exists. */
  readonly strict: boolean;
}

/** The mock's own clock starts here, and goes on a second with each change. */
const CLOCK_START = Date.UTC(2025, 0, 1);

/** How many resources a collection has before anybody changes it. */
const SEEDED_COUNT = 3;

/** The resources of one family. */
export class Resources {
  readonly #fields: ReadonlyMap<string, Field>;
  readonly #schema: Schema;
  readonly #conformer: Conformer;

  constructor(
    readonly family: ResourceType,
    readonly context: MockContext,
  ) {
    this.#fields = fieldsOf(family.schemaId, context.definitions);
    this.#schema = { kind: "ref", id: family.schemaId };
    this.#conformer = new Conformer(context.definitions, context.maker);
  }

  /** All ids of a collection: those of the seed, then those that were made. */
  ids(collection: string): string[] {
    const seeded = Array.from({ length: SEEDED_COUNT }, (_, index) =>
      this.newId(`${this.context.seed}|${collection}#${index}`),
    ).filter((id) => this.context.store.find(collection, id) !== "deleted");
    return [...new Set([...seeded, ...this.context.store.ids(collection)])];
  }

  /** An id such as the family's resources have. */
  newId(key: string): string {
    const random = new Random(key);
    const { parameter, prefix } = this.family;
    const field = this.#fields.get(this.#idField() ?? "");
    const isNumber = [field?.schema, parameter?.schema].some(isNumeric);
    if (isNumber || this.#idField() !== "name" || prefix !== undefined)
      return identifierOf(random, isNumber);
    return `${textFor("name", random)}-${random.below(1000)}`;
  }

  /** @throws ApiError 404 where there is none */
  get(spot: ResourceKey, params: Params): StoredResource {
    const { store, strict } = this.context;
    const found = store.find(spot.collection, spot.id);
    if (found === "deleted") throw notFound(spot);
    if (found !== undefined) return found;
    const isListed =
      !strict ||
      this.family.isSingleton ||
      this.ids(spot.collection).includes(spot.id);
    if (!isListed) throw notFound(spot);
    return { value: this.#seeded(spot, params) };
  }

  /** Whether there is one, made of the seed or by a caller. */
  has({ collection, id }: ResourceKey): boolean {
    return this.ids(collection).includes(id);
  }

  /** Makes or replaces a resource. */
  put(
    spot: ResourceKey,
    params: Params,
    body: unknown,
    media: StoredMedia | undefined,
  ): JsonObject {
    const old = this.context.store.find(spot.collection, spot.id);
    const before = typeof old === "object" ? old : undefined;
    const key = keyOf(this.context, spot);
    const given = this.#conformer.conform(this.#schema, body ?? {}, key);
    const kept = before ?? {
      value: this.#serviceFields(this.#seeded(spot, params)),
    };
    const value = {
      ...this.#serviceFields(kept.value),
      ...(isJsonObject(given) ? given : {}),
    };
    return this.#store(spot, params, value, media ?? before?.media, !before);
  }

  /** Changes a part of a resource. */
  patch(
    spot: ResourceKey,
    params: Params,
    query: Params,
    body: unknown,
    media: StoredMedia | undefined,
  ): JsonObject {
    const before = this.get(spot, params);
    const mask = query["updateMask"] ?? query["update_mask"];
    const patch = isJsonObject(body) ? body : {};
    const change =
      typeof mask === "string" && mask !== ""
        ? selectMasked(patch, mask)
        : patch;
    const merged = mergePatch(before.value, change);
    const given = this.#conformer.conform(
      this.#schema,
      merged,
      keyOf(this.context, spot),
    ) as JsonObject;
    const value = { ...this.#serviceFields(before.value), ...given };
    return this.#store(spot, params, value, media ?? before.media, false);
  }

  /** @throws ApiError 404 where there is none */
  remove(spot: ResourceKey, params: Params): JsonObject {
    const { value } = this.get(spot, params);
    this.context.store.remove(spot.collection, spot.id);
    return value;
  }

  #store(
    spot: ResourceKey,
    params: Params,
    value: JsonObject,
    media: StoredMedia | undefined,
    isNew: boolean,
  ): JsonObject {
    const { store } = this.context;
    const version = `${keyOf(this.context, spot)}#${store.changes}`;
    const facts = {
      ...timesOf(this.#fields, CLOCK_START + 1000 * store.changes, isNew),
      ...etagOf(this.#fields, version),
      ...(media && mediaFields(this.#fields, media.bytes, media.contentType)),
    };
    const full = this.#withNames({ ...value, ...facts }, spot, params);
    store.put(spot.collection, spot.id, { value: full, media });
    return full;
  }

  #seeded(spot: ResourceKey, params: Params): JsonObject {
    const key = keyOf(this.context, spot);
    const value = this.context.maker.make(this.#schema, key) as JsonObject;
    return this.#withNames(
      { ...value, ...etagOf(this.#fields, key) },
      spot,
      params,
    );
  }

  /** What the service sets of a resource, whatever a caller sends. */
  #serviceFields(value: JsonObject): JsonObject {
    return Object.fromEntries(
      Object.entries(value).filter(([name]) => {
        const field = this.#fields.get(name);
        return field?.flags.readOnly !== undefined || isServiceField(name);
      }),
    );
  }

  /** The value with the names that its place gives it. */
  #withNames(
    value: JsonObject,
    { collection, id }: ResourceKey,
    params: Params,
  ): JsonObject {
    const { api } = this.context;
    const { prefix, isSingleton } = this.family;
    const path = isSingleton ? collection : `${collection}/${id}`;
    const own = this.#idField();
    const name = prefix === undefined ? id : path.slice(prefix.length);
    const texts = Object.entries(params).filter(
      ([, param]) => typeof param === "string",
    );
    const named = withMembers(value, this.#fields, {
      ...Object.fromEntries(isSingleton ? [] : texts.filter(isPlainName)),
      selfLink: `${api.rootUrl}${api.servicePath}${path}`,
      ...(own === undefined || isSingleton ? {} : { [own]: name }),
    });
    return own === undefined && !isSingleton
      ? this.#withNestedId(named, id)
      : named;
  }

  /** The id within an object that is the reference, such as `datasetReference`. */
  #withNestedId(value: JsonObject, id: string): JsonObject {
    const { definitions } = this.context;
    for (const { name, schema } of this.#fields.values()) {
      if (schema.kind !== "ref" || !isJsonObject(value[name])) continue;
      const fields = fieldsOf(schema.id, definitions);
      if (!fields.has(this.family.variable ?? "")) continue;
      const inner = { [this.family.variable!]: id };
      return { ...value, [name]: withMembers(value[name], fields, inner) };
    }
    return value;
  }

  /** The field that holds the id. */
  #idField(): string | undefined {
    const { variable = "", prefix } = this.family;
    const isId = /id$/i.test(variable);
    const candidates =
      prefix !== undefined
        ? [variable, "name", "resourceName"]
        : isId
          ? [variable, "id"]
          : [variable, "name", "id", `${variable}Id`];
    return candidates.find((name) => this.#fields.has(name));
  }

  /** The id that a caller chose for what is to be made, in the query or the body. */
  chosenId(
    collection: string,
    params: Params,
    body: unknown,
    method: Method,
  ): string | undefined {
    const plural = collection
      .slice(collection.lastIndexOf("/") + 1)
      .toLowerCase();
    const names = method.parameters.map(({ name }) => name);
    const inQuery = names.find((name) => {
      const stem = /^(.+?)_?id$/i.exec(name)?.[1]?.toLowerCase();
      return (
        name === this.family.variable ||
        (method.upload !== undefined && name === "name") ||
        (stem !== undefined && plural.startsWith(stem.replace(/y$/, "")))
      );
    });
    const own = isJsonObject(body) ? body[this.#idField() ?? ""] : undefined;
    const chosen = params[inQuery ?? ""] ?? own;
    const text =
      typeof chosen === "string" || typeof chosen === "number"
        ? String(chosen)
        : nestedId(body, this.family.variable);
    return text === undefined ? undefined : lastSegmentOf(text, this.family);
  }
}

/** Names of what a service sets, where the document does not say so. */
const SERVICE_FIELD =
  /^(kind|id|etag|self_?link|generation|metageneration|created|updated)$/i;

/** Returns true for OWN and for times of changes, such as `lastModifiedTime`. */
function isServiceField(name: string): boolean {
  if (SERVICE_FIELD.test(name)) return true;
  const word = name.split(/\W/).at(-1)!;
  const stem = word.replace(/(time|date|stamp|at)$/i, "");
  return stem !== word && /creat|updat|modif|insert/i.test(stem);
}

function isPlainName([name]: [string, unknown]): boolean {
  return /^[a-z]\w*$/i.test(name) && !/^(name|alt|fields|key)$/.test(name);
}

function isNumeric(schema: Schema | undefined): boolean {
  if (schema?.kind !== "scalar") return false;
  return schema.type === "string"
    ? /^u?int64$/.test(schema.format ?? "")
    : schema.type === "integer" || schema.type === "number";
}

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

/** The last part of a whole name. */
function lastSegmentOf(
  text: string,
  { prefix }: ResourceType,
): string | undefined {
  const last = prefix === undefined ? text : text.replace(/^.*\//s, "");
  return last === "" ? undefined : last;
}

function keyOf({ seed }: MockContext, { collection, id }: ResourceKey): string {
  return `${seed}|${collection}/${id}`;
}

function notFound({ collection, id }: ResourceKey): ApiError {
  const path = id === "" ? collection : `${collection}/${id}`;
  return new ApiError(404, `Not found: ${path.slice(0, 200)}`);
}
