import { memorySize } from "../runtime/server/uploads/memory-size.js";
import { ApiError } from "../runtime/server/error.js";
import type { Members } from "./values.js";

/** Content that was uploaded. */
export interface StoredMedia {
  readonly bytes: Uint8Array;
  readonly contentType: string;
}

/** A resource that a caller made or changed. */
export interface Stored {
  readonly value: Members;
  readonly media?: StoredMedia | undefined;
}

/** Resources, and bytes of them and their content, that are kept; a caller could send without end. */
const MAX_RESOURCES = 100_000;
const MAX_BYTES = 256 * 1024 * 1024;

/** What callers changed. All else is made of the seed when it is asked for, and not kept. */
export class Store {
  /** By collection and id; `undefined` for what was deleted. */
  readonly #collections = new Map<string, Map<string, Stored | undefined>>();
  /** Bytes that count for each resource. */
  readonly #sizes = new WeakMap<Stored, number>();
  #resources = 0;
  #bytes = 0;
  #changes = 0;

  /** How often anything was changed. */
  get changes(): number {
    return this.#changes;
  }

  /** A resource that was changed; `deleted`, or nothing where nobody touched it. */
  find(collection: string, id: string): Stored | "deleted" | undefined {
    const known = this.#collections.get(collection);
    return known?.has(id) === true ? (known.get(id) ?? "deleted") : undefined;
  }

  /** Ids of the resources that were made or changed, in that order. */
  ids(collection: string): readonly string[] {
    return [...(this.#collections.get(collection) ?? [])].flatMap(
      ([id, stored]) => (stored === undefined ? [] : [id]),
    );
  }

  /** @throws ApiError 429 where too much is kept already */
  put(collection: string, id: string, stored: Stored): void {
    const size = sizeOf(stored, collection, id);
    const old = this.find(collection, id);
    const oldSize = this.#sizeOf(collection, id);
    const isNew = old === undefined;
    const isFull =
      (isNew && this.#resources >= MAX_RESOURCES) ||
      this.#bytes + size - oldSize > MAX_BYTES;
    if (isFull) throw full();
    if (isNew) this.#resources++;
    this.#bytes += size - oldSize;
    this.#of(collection).set(id, stored);
    this.#sizes.set(stored, size);
    this.#changes++;
  }

  /** Marks a resource as deleted, whether it was ever stored or not. */
  remove(collection: string, id: string): void {
    const isNew = this.find(collection, id) === undefined;
    const added = memorySize([collection, id]) - this.#sizeOf(collection, id);
    const isFull =
      this.#resources >= MAX_RESOURCES || this.#bytes + added > MAX_BYTES;
    if (isNew && isFull) throw full();
    if (isNew) this.#resources++;
    this.#bytes += added;
    this.#of(collection).set(id, undefined);
    this.#changes++;
  }

  #sizeOf(collection: string, id: string): number {
    const old = this.find(collection, id);
    if (old === undefined) return 0;
    return isStored(old)
      ? (this.#sizes.get(old) ?? 0)
      : memorySize([collection, id]);
  }

  #of(collection: string): Map<string, Stored | undefined> {
    let known = this.#collections.get(collection);
    if (known === undefined)
      this.#collections.set(collection, (known = new Map()));
    return known;
  }
}

function full(): ApiError {
  return new ApiError(429, "The mock is full: restart it.");
}

function sizeOf({ value, media }: Stored, ...names: string[]): number {
  const content = media === undefined ? 0 : media.bytes.length;
  return memorySize([value, media?.contentType, ...names]) + content;
}

function isStored(found: Stored | "deleted" | undefined): found is Stored {
  return found !== undefined && found !== "deleted";
}
