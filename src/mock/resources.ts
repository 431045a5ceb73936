// Longer than other files: what each kind of call does to a resource, one beside the other.

import type { Api, Definition, Field, Method, Schema } from "../model/ir.js";
import { ApiError } from "../runtime/server/error.js";
import { Conformer, masked, patched, isMembers } from "./conform.js";
import {
  etagOf,
  fieldsOf,
  mediaFacts,
  timesOf,
  withMembers,
} from "./resource-fields.js";
import { Random } from "./random.js";
import type { Family } from "./roles.js";
import { Store, type Stored, type StoredMedia } from "./store.js";
import type { Members, ValueMaker } from "./values.js";
import { identifierOf, textFor } from "./texts.js";

/** Where a resource is: the path of its collection as it was called, and its id there. */
export interface Spot {
  readonly collection: string;
  /** Empty where there is one only. */
  readonly id: string;
}

/** What was decoded of a request. */
export type Params = Readonly<Record<string, unknown>>;

/** What the mock was asked for, and what it is made of. */
export interface World {
  readonly api: Api;
  readonly definitions: ReadonlyMap<string, Definition>;
  readonly maker: ValueMaker;
  readonly store: Store;
  readonly seed: string;
  /** Whether only what is listed or was made exists. */
  readonly strict: boolean;
}

/** The mock's own clock starts here, and goes on a second with each change. */
const START = Date.UTC(2025, 0, 1);

/** How many resources a collection has before anybody changes it. */
const SEEDED = 3;

/** The resources of one family. */
export class Resources {
  readonly #fields: ReadonlyMap<string, Field>;
  readonly #schema: Schema;
  readonly #conformer: Conformer;

  constructor(
    readonly family: Family,
    readonly world: World,
  ) {
    this.#fields = fieldsOf(family.entity, world.definitions);
    this.#schema = { kind: "ref", id: family.entity };
    this.#conformer = new Conformer(world.definitions, world.maker);
  }

  /** All ids of a collection: those of the seed, then those that were made. */
  ids(collection: string): string[] {
    const seeded = Array.from({ length: SEEDED }, (_, index) =>
      this.newId(`${this.world.seed}|${collection}#${index}`),
    ).filter((id) => this.world.store.find(collection, id) !== "deleted");
    return [...new Set([...seeded, ...this.world.store.ids(collection)])];
  }

  /** An id such as the family's resources have. */
  newId(key: string): string {
    const random = new Random(key);
    const { parameter, prefix } = this.family;
    const field = this.#fields.get(this.#keyName() ?? "");
    const isNumber = [field?.schema, parameter?.schema].some(isNumeric);
    if (isNumber || this.#keyName() !== "name" || prefix !== undefined)
      return identifierOf(random, isNumber);
    return `${textFor("name", random)}-${random.below(1000)}`;
  }

  /** @throws ApiError 404 where there is none */
  get(spot: Spot, params: Params): Stored {
    const { store, strict } = this.world;
    const found = store.find(spot.collection, spot.id);
    if (found === "deleted") throw notFound(spot);
    if (found !== undefined) return found;
    const isListed =
      !strict ||
      this.family.isSingle ||
      this.ids(spot.collection).includes(spot.id);
    if (!isListed) throw notFound(spot);
    return { value: this.#seeded(spot, params) };
  }

  /** Whether there is one, made of the seed or by a caller. */
  has({ collection, id }: Spot): boolean {
    return this.ids(collection).includes(id);
  }

  /** Makes or replaces a resource. */
  put(
    spot: Spot,
    params: Params,
    body: unknown,
    media: StoredMedia | undefined,
  ): Members {
    const old = this.world.store.find(spot.collection, spot.id);
    const before = typeof old === "object" ? old : undefined;
    const key = keyOf(this.world, spot);
    const given = this.#conformer.conform(this.#schema, body ?? {}, key);
    const kept = before ?? { value: this.#ownOf(this.#seeded(spot, params)) };
    const value = {
      ...this.#ownOf(kept.value),
      ...(isMembers(given) ? given : {}),
    };
    return this.#store(spot, params, value, media ?? before?.media, !before);
  }

  /** Changes a part of a resource. */
  patch(
    spot: Spot,
    params: Params,
    query: Params,
    body: unknown,
    media: StoredMedia | undefined,
  ): Members {
    const before = this.get(spot, params);
    const mask = query["updateMask"] ?? query["update_mask"];
    const patch = isMembers(body) ? body : {};
    const change =
      typeof mask === "string" && mask !== "" ? masked(patch, mask) : patch;
    const merged = patched(before.value, change);
    const given = this.#conformer.conform(
      this.#schema,
      merged,
      keyOf(this.world, spot),
    ) as Members;
    const value = { ...this.#ownOf(before.value), ...given };
    return this.#store(spot, params, value, media ?? before.media, false);
  }

  /** @throws ApiError 404 where there is none */
  remove(spot: Spot, params: Params): Members {
    const { value } = this.get(spot, params);
    this.world.store.remove(spot.collection, spot.id);
    return value;
  }

  #store(
    spot: Spot,
    params: Params,
    value: Members,
    media: StoredMedia | undefined,
    isNew: boolean,
  ): Members {
    const { store } = this.world;
    const version = `${keyOf(this.world, spot)}#${store.changes}`;
    const facts = {
      ...timesOf(this.#fields, START + 1000 * store.changes, isNew),
      ...etagOf(this.#fields, version),
      ...(media && mediaFacts(this.#fields, media.bytes, media.contentType)),
    };
    const full = this.#named({ ...value, ...facts }, spot, params);
    store.put(spot.collection, spot.id, { value: full, media });
    return full;
  }

  #seeded(spot: Spot, params: Params): Members {
    const key = keyOf(this.world, spot);
    const value = this.world.maker.make(this.#schema, key) as Members;
    return this.#named(
      { ...value, ...etagOf(this.#fields, key) },
      spot,
      params,
    );
  }

  /** What the service sets of a resource, whatever a caller sends. */
  #ownOf(value: Members): Members {
    return Object.fromEntries(
      Object.entries(value).filter(([name]) => {
        const field = this.#fields.get(name);
        return field?.flags.readOnly !== undefined || isOwn(name);
      }),
    );
  }

  /** The value with the names that its place gives it. */
  #named(value: Members, { collection, id }: Spot, params: Params): Members {
    const { api } = this.world;
    const { prefix, isSingle } = this.family;
    const path = isSingle ? collection : `${collection}/${id}`;
    const own = this.#keyName();
    const name = prefix === undefined ? id : path.slice(prefix.length);
    const texts = Object.entries(params).filter(
      ([, param]) => typeof param === "string",
    );
    const named = withMembers(value, this.#fields, {
      ...Object.fromEntries(isSingle ? [] : texts.filter(isPlainName)),
      selfLink: `${api.rootUrl}${api.servicePath}${path}`,
      ...(own === undefined || isSingle ? {} : { [own]: name }),
    });
    return own === undefined && !isSingle ? this.#nested(named, id) : named;
  }

  /** The id within an object that is the reference, such as `datasetReference`. */
  #nested(value: Members, id: string): Members {
    const { definitions } = this.world;
    for (const { name, schema } of this.#fields.values()) {
      if (schema.kind !== "ref" || !isMembers(value[name])) continue;
      const fields = fieldsOf(schema.id, definitions);
      if (!fields.has(this.family.variable ?? "")) continue;
      const inner = { [this.family.variable!]: id };
      return { ...value, [name]: withMembers(value[name], fields, inner) };
    }
    return value;
  }

  /** The field that holds the id. */
  #keyName(): string | undefined {
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
    const own = isMembers(body) ? body[this.#keyName() ?? ""] : undefined;
    const chosen = params[inQuery ?? ""] ?? own;
    const text =
      typeof chosen === "string" || typeof chosen === "number"
        ? String(chosen)
        : nestedId(body, this.family.variable);
    return text === undefined ? undefined : tail(text, this.family);
  }
}

/** Names of what a service sets, where the document does not say so. */
const OWN =
  /^(kind|id|etag|self_?link|generation|metageneration|created|updated)$/i;

/** Returns true for OWN and for times of changes, such as `lastModifiedTime`. */
function isOwn(name: string): boolean {
  if (OWN.test(name)) return true;
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
  if (!isMembers(body) || variable === undefined) return undefined;
  for (const member of Object.values(body)) {
    const id = isMembers(member) ? member[variable] : undefined;
    if (typeof id === "string" && id !== "") return id;
  }
  return undefined;
}

/** The last part of a whole name. */
function tail(text: string, { prefix }: Family): string | undefined {
  const last = prefix === undefined ? text : text.replace(/^.*\//s, "");
  return last === "" ? undefined : last;
}

function keyOf({ seed }: World, { collection, id }: Spot): string {
  return `${seed}|${collection}/${id}`;
}

function notFound({ collection, id }: Spot): ApiError {
  const path = id === "" ? collection : `${collection}/${id}`;
  return new ApiError(404, `Not found: ${path.slice(0, 200)}`);
}
