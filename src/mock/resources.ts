// This file is longer than 250 lines, because all operations on stored and
// generated resources share their rules for names, versions and links.

import type { Field, Schema } from "../model/ir.js";
import { ApiError } from "../runtime/server/error.js";
import { mergePatch } from "../runtime/server/merge-patch.js";
import { listChangesOf } from "./actions.js";
import { Conformer, isJsonObject } from "./conform.js";
import type { Caller, MockContext, ResourceKey } from "./mock-context.js";
import {
  etagOf,
  fieldsOf,
  mediaFields,
  timesOf,
  versionsOf,
  withMembers,
} from "./resource-fields.js";
import { ResourceIds } from "./resource-ids.js";
import type { ResourceType } from "./method-role.js";
import { completed } from "./completed.js";
import type { StoredMedia, StoredResource } from "./store.js";
import type { JsonObject } from "./values.js";

/**
 * Initial time of a mock's clock. Each change to a resource advances the clock
 * by one second.
 */
const CLOCK_START = Date.UTC(2025, 0, 1);

/** Number of generated resources in a collection. */
const SEEDED_COUNT = 3;

/** Maximum number of generated resources of a type that are kept. */
const MAX_SEEDED = 100;

/** Caller of functions that run without a request. */
const NOBODY: Caller = { names: {}, root: undefined };

/**
 * Resources of one type: generated resources, and resources that callers
 * created or changed.
 */
export class Resources {
  readonly ids: ResourceIds;
  /** Tests whether the content of a resource can be downloaded. */
  readonly hasContent: boolean;
  readonly #fields: ReadonlyMap<string, Field>;
  readonly #schema: Schema;
  readonly #conformer: Conformer;
  /**
   * The last generated resources, keyed by path and caller. Generating a resource
   * of 500 members takes milliseconds.
   */
  readonly #seededResources = new Map<string, StoredResource>();

  constructor(
    readonly resourceType: ResourceType,
    readonly context: MockContext,
  ) {
    this.#fields = fieldsOf(resourceType.schemaId, context.definitions);
    this.#schema = { kind: "ref", id: resourceType.schemaId };
    this.hasContent = resourceType.hasContent;
    this.ids = new ResourceIds(resourceType, this.#fields, context.definitions);
    this.#conformer = new Conformer(context.definitions, context.maker);
  }

  /**
   * Returns all ids of a collection: first the generated resources, then those
   * that callers created.
   */
  listIds(collection: string): string[] {
    const { seed, store } = this.context;
    const count = this.isGenerated(collection) ? SEEDED_COUNT : 0;
    const seeded = Array.from({ length: count }, (_, index) =>
      this.ids.generate(`${seed}|${collection}#${index}`),
    ).filter((id) => store.find(collection, id) !== "deleted");
    return [...new Set([...seeded, ...store.ids(collection)])];
  }

  /** @throws ApiError 404 if the resource does not exist */
  get(key: ResourceKey, caller: Caller): StoredResource {
    const found = this.find(key, caller);
    if (found === undefined) throw notFound(key);
    return found;
  }

  /** Returns a resource; undefined if it does not exist. */
  find(key: ResourceKey, caller: Caller): StoredResource | undefined {
    const { store, strict } = this.context;
    const stored = store.find(key.collection, key.id);
    if (stored === "deleted") return undefined;
    if (stored !== undefined)
      return { ...stored, value: this.#withLinks(stored.value, key, caller) };
    const exists =
      this.resourceType.isSingleton ||
      (!strict && this.isGenerated(key.collection)) ||
      this.listIds(key.collection).includes(key.id);
    return exists ? this.#seeded(key, caller) : undefined;
  }

  /**
   * Tests whether a resource exists: the mock generated it, or a caller created
   * it.
   */
  has({ collection, id }: ResourceKey): boolean {
    return this.listIds(collection).includes(id);
  }

  /** Tests whether a collection contains generated resources. */
  isGenerated(collection: string): boolean {
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
    const { store } = this.context;
    const { isSingleton } = this.resourceType;
    const id = isSingleton
      ? ""
      : (known.id ?? this.chooseId(collection, value));
    const key = { collection, id };
    if (store.find(collection, id) !== undefined)
      throw new ApiError(409, `Already exists: ${id.slice(0, 200)}`);
    const named = { ...this.#withNames({}, key, NOBODY), ...value };
    const kind = this.#fields.get("kind")?.constraints.default;
    const full =
      kind === undefined || "kind" in named ? named : { kind, ...named };
    store.put(collection, id, { value: full, media: known.media });
    return id;
  }

  /** Creates or replaces a resource. */
  put(
    key: ResourceKey,
    caller: Caller,
    body: unknown,
    media: StoredMedia | undefined,
  ): JsonObject {
    const old = this.context.store.find(key.collection, key.id);
    const before = typeof old === "object" ? old : undefined;
    const seed = seedOf(this.context, key);
    const submitted = this.#conformer.conform(this.#schema, body ?? {}, seed);
    const base = before ?? this.#seeded(key, caller);
    const value = {
      ...this.#serviceFields(base.value),
      ...(isJsonObject(submitted) ? submitted : {}),
    };
    const content = media ?? before?.media;
    const isNew = before === undefined;
    return this.#store(key, caller, value, content, isNew, media !== undefined);
  }

  /**
   * Updates members of a resource.
   *
   * @param mask field mask; undefined for a merge patch
   */
  patch(
    key: ResourceKey,
    caller: Caller,
    mask: string | undefined,
    body: unknown,
    media: StoredMedia | undefined,
  ): JsonObject {
    const before = this.get(key, caller);
    const merged = mergePatch(
      before.value,
      isJsonObject(body) ? body : {},
      mask,
    );
    const submitted = this.#conformer.conform(
      this.#schema,
      merged,
      seedOf(this.context, key),
    ) as JsonObject;
    const value = { ...this.#serviceFields(before.value), ...submitted };
    const content = media ?? before.media;
    return this.#store(key, caller, value, content, false, media !== undefined);
  }

  /**
   * Sets members of a resource as given, such as its state.
   *
   * @throws ApiError 404 if the resource does not exist
   */
  change(key: ResourceKey, caller: Caller, members: JsonObject): JsonObject {
    const { value, media } = this.get(key, caller);
    const changed = { ...value, ...members };
    return this.#store(key, caller, changed, media, false, false);
  }

  /** Returns the id in a new resource; generates one if it has none. */
  chooseId(collection: string, body: JsonObject): string {
    return (
      this.ids.chosenBy(collection, {}, body, undefined) ??
      this.generateId(collection)
    );
  }

  /** Generates the id of the next new resource. */
  generateId(collection: string): string {
    const { store, seed } = this.context;
    return this.ids.generate(`${seed}|${collection}|${store.changes}`);
  }

  /** Returns the members of a resource that its copy has too. */
  copyable(value: JsonObject): JsonObject {
    const entries = Object.entries(value).filter(
      ([name]) =>
        name !== this.ids.field &&
        !isServiceField(name) &&
        this.#fields.get(name)?.flags.readOnly === undefined,
    );
    return Object.fromEntries(entries);
  }

  /** Returns the changes of lists that parameters such as `addParents` name. */
  listChanges(key: ResourceKey, caller: Caller, given: JsonObject): JsonObject {
    const value = this.find(key, caller)?.value ?? {};
    return listChangesOf(value, given, this.#fields);
  }

  /** @throws ApiError 404 if the resource does not exist */
  remove(key: ResourceKey, caller: Caller): JsonObject {
    const { value } = this.get(key, caller);
    this.context.store.remove(key.collection, key.id);
    return value;
  }

  /** Stores a value whose members are complete, such as an operation. */
  putAsIs(key: ResourceKey, value: JsonObject): void {
    this.context.store.put(key.collection, key.id, { value });
  }

  #store(
    key: ResourceKey,
    caller: Caller,
    value: JsonObject,
    media: StoredMedia | undefined,
    isNew: boolean,
    isNewContent: boolean,
  ): JsonObject {
    const { store } = this.context;
    const version = `${seedOf(this.context, key)}#${store.changes}`;
    const now = CLOCK_START + 1000 * store.changes;
    const serviceFields = {
      ...timesOf(this.#fields, now, isNew),
      ...versionsOf(this.#fields, value, now, isNew || isNewContent),
      ...etagOf(this.#fields, version),
      ...(media && mediaFields(this.#fields, media.bytes, media.contentType)),
      // The type in the metadata of an upload wins over that of the content.
      ...(isNew ? typesOf(value) : {}),
    };
    const full = this.#withNames({ ...value, ...serviceFields }, key, caller);
    store.put(key.collection, key.id, { value: full, media });
    return full;
  }

  #seeded(key: ResourceKey, caller: Caller): StoredResource {
    const known = JSON.stringify([key.collection, key.id, caller]);
    let made = this.#seededResources.get(known);
    if (made === undefined) {
      made = this.#generate(key, caller);
      if (this.#seededResources.size >= MAX_SEEDED)
        this.#seededResources.clear();
      this.#seededResources.set(known, made);
    }
    return made;
  }

  #generate(key: ResourceKey, caller: Caller): StoredResource {
    const seed = seedOf(this.context, key);
    const made = this.context.maker.make(this.#schema, seed) as JsonObject;
    const { isOperation, isSingleton } = this.resourceType;
    const isBare = isSingleton && this.context.empty;
    const value = isOperation
      ? completed(made, this.#fields, this.context.definitions)
      : isBare
        ? this.#withoutCollections(made)
        : made;
    const media = this.hasContent
      ? seededMedia(`${key.collection}/${key.id}`)
      : undefined;
    const serviceFields = {
      ...withMembers({}, this.#fields, { metageneration: "1" }),
      ...etagOf(this.#fields, seed),
      ...(media && mediaFields(this.#fields, media.bytes, media.contentType)),
    };
    const full = { ...value, ...serviceFields };
    return { value: this.#withNames(full, key, caller), media };
  }

  /** Removes lists and maps: a mock that starts empty invents no elements. */
  #withoutCollections(value: JsonObject): JsonObject {
    const entries = Object.entries(value).filter(([name]) => {
      const { schema, flags } = this.#fields.get(name) ?? {};
      return (
        flags?.required !== undefined ||
        !/^(list|map)$/.test(schema?.kind ?? "")
      );
    });
    return Object.fromEntries(entries);
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

  /** Sets the id, links and path parameters of a resource. */
  #withNames(value: JsonObject, key: ResourceKey, caller: Caller): JsonObject {
    const { collection, id } = key;
    const { prefix, isSingleton } = this.resourceType;
    const idField = this.ids.field;
    const isShort = idField !== undefined && this.#hasShortName(value, id);
    const name =
      prefix === undefined || isShort
        ? id
        : `${collection}/${id}`.slice(prefix.length);
    const texts = Object.entries(caller.names).filter(
      ([, param]) => typeof param === "string",
    );
    const names = isSingleton ? [] : texts.filter(isPlainName);
    const named = withMembers(value, this.#fields, {
      ...Object.fromEntries(names),
      ...(idField === undefined || isSingleton ? {} : { [idField]: name }),
    });
    return this.#withLinks(
      isSingleton
        ? named
        : this.#withReference(named, id, Object.fromEntries(names)),
      key,
      caller,
    );
  }

  /**
   * Tests whether the caller named a resource without its parents, in a member
   * whose description defines such a name.
   */
  #hasShortName(value: JsonObject, id: string): boolean {
    const { field = "" } = this.ids;
    const { description = "" } = this.#fields.get(field) ?? {};
    return value[field] === id && isShortName(description);
  }

  /** Sets the URLs of the resource and its content. */
  #withLinks(
    value: JsonObject,
    key: ResourceKey,
    { root }: Caller,
  ): JsonObject {
    if (root === undefined) return value;
    const link = this.linkOf(key, root);
    const links = [...this.#fields.keys()].flatMap((name) => {
      if (/^(self_?link|self_?url)$/i.test(name)) return [[name, link]];
      const isContent = this.hasContent && CONTENT_LINK.test(name);
      return isContent ? [[name, `${link}?alt=media`]] : [];
    });
    return links.length === 0
      ? value
      : withMembers(value, this.#fields, Object.fromEntries(links));
  }

  /** Returns the URL of a resource. */
  linkOf({ collection, id }: ResourceKey, root: string): string {
    const { prefix, isSingleton } = this.resourceType;
    const last = prefix === undefined ? encodeURIComponent(id) : id;
    const path = isSingleton ? collection : `${collection}/${last}`;
    return `${root}${this.context.api.servicePath}${path}`;
  }

  /** Sets the id and the parents in a nested object, such as `datasetReference`. */
  #withReference(
    value: JsonObject,
    id: string,
    names: Readonly<Record<string, unknown>>,
  ): JsonObject {
    const { reference } = this.ids;
    const { variable = "" } = this.resourceType;
    if (reference === undefined || reference.schema.kind !== "ref")
      return value;
    const old = value[reference.name];
    const fields = fieldsOf(reference.schema.id, this.context.definitions);
    const inner = withMembers(isJsonObject(old) ? old : {}, fields, {
      ...names,
      [variable]: id,
    });
    return { ...value, [reference.name]: inner };
  }

  /** Returns the part of a resource that the elements of a list contain. */
  project(value: JsonObject, itemId: string): JsonObject {
    const fields = fieldsOf(itemId, this.context.definitions);
    const part = Object.fromEntries(
      Object.entries(value).filter(([name]) => fields.has(name)),
    );
    const { pattern } = this.resourceType;
    const type = { ...this.resourceType, variable: pattern.split("/").at(-1) };
    const own = new ResourceIds(type, fields, this.context.definitions).field;
    const id = value[this.ids.field ?? ""];
    return own === undefined || own in part || id === undefined
      ? part
      : withMembers(part, fields, { [own]: id });
  }
}

/**
 * Tests whether a description is that of a name that is unique in the parent, such
 * as the name of a cluster of GKE.
 */
function isShortName(description: string): boolean {
  return !description.includes("/") && /\bunique within\b/i.test(description);
}

function typesOf(value: JsonObject): JsonObject {
  const names = ["mimeType", "contentType"].filter((name) => name in value);
  return Object.fromEntries(names.map((name) => [name, value[name]]));
}

/**
 * Pattern that matches the names of fields with the URL of the content of a
 * resource.
 */
const CONTENT_LINK =
  /^(media_?link|media_?url|download_?(url|link|uri)|content_?(link|url)|web_?content_?link)$/i;

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

/** Content of a generated resource. */
export function seededMedia(key: string): StoredMedia {
  return {
    bytes: new TextEncoder().encode(`Content of ${key}\n`),
    contentType: "text/plain; charset=utf-8",
  };
}

function notFound({ collection, id }: ResourceKey): ApiError {
  const path = id === "" ? collection : `${collection}/${id}`;
  return new ApiError(404, `Not found: ${path.slice(0, 200)}`);
}
