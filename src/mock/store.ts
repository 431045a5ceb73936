import { memorySize } from "../runtime/server/uploads/memory-size.js";
import { ApiError } from "../runtime/server/error.js";
import type { JsonObject } from "./values.js";

/** Content that a caller uploaded. */
export interface StoredMedia {
  readonly bytes: Uint8Array;
  readonly contentType: string;
}

/** Resource that a caller created or changed. */
export interface StoredResource {
  readonly value: JsonObject;
  readonly media?: StoredMedia | undefined;
}

/**
 * Maximum number of stored resources, and their maximum total size in bytes,
 * including uploaded content.
 */
const MAX_RESOURCES = 100_000;
const MAX_BYTES = 256 * 1024 * 1024;

/**
 * Store of the changes that callers made. Unchanged resources are generated on
 * request and not stored.
 */
export class Store {
  /**
   * Map from collection to a map from resource id to resource. `undefined`
   * marks a deleted resource.
   */
  readonly #collections = new Map<
    string,
    Map<string, StoredResource | undefined>
  >();
  /** Collections that contain only stored resources. */
  readonly #complete = new Set<string>();
  /** Size in bytes of each stored resource. */
  readonly #sizes = new WeakMap<StoredResource, number>();
  #resources = 0;
  #bytes = 0;
  #changes = 0;

  /** Number of changes since the mock was started. */
  get changes(): number {
    return this.#changes;
  }

  /**
   * Returns a changed resource, or `deleted` for a deleted one; undefined if no
   * caller changed the resource.
   */
  find(collection: string, id: string): StoredResource | "deleted" | undefined {
    const resources = this.#collections.get(collection);
    return resources?.has(id) === true
      ? (resources.get(id) ?? "deleted")
      : undefined;
  }

  /**
   * Returns the ids of created and changed resources in the order of the first
   * change.
   */
  ids(collection: string): readonly string[] {
    return [...(this.#collections.get(collection) ?? [])].flatMap(
      ([id, stored]) => (stored === undefined ? [] : [id]),
    );
  }

  /** @throws ApiError 429 if a limit would be exceeded */
  put(collection: string, id: string, stored: StoredResource): void {
    const size = sizeOf(stored, collection, id);
    const old = this.find(collection, id);
    const oldSize = this.#sizeOf(collection, id);
    const isNew = old === undefined;
    const isFull =
      (isNew && this.#resources >= MAX_RESOURCES) ||
      this.#bytes + size - oldSize > MAX_BYTES;
    if (isFull) throw storeFull();
    if (isNew) this.#resources++;
    this.#bytes += size - oldSize;
    this.#of(collection).set(id, stored);
    this.#sizes.set(stored, size);
    this.#changes++;
  }

  /** Marks a resource as deleted, even if it was never stored. */
  remove(collection: string, id: string): void {
    const isNew = this.find(collection, id) === undefined;
    const added = memorySize([collection, id]) - this.#sizeOf(collection, id);
    const isFull =
      this.#resources >= MAX_RESOURCES || this.#bytes + added > MAX_BYTES;
    if (isNew && isFull) throw storeFull();
    if (isNew) this.#resources++;
    this.#bytes += added;
    this.#of(collection).set(id, undefined);
    this.#changes++;
  }

  setChanges(changes: number): void {
    this.#changes = changes;
  }

  /** Returns to the state of a new store. */
  clear(): void {
    this.#collections.clear();
    this.#complete.clear();
    this.#resources = 0;
    this.#bytes = 0;
    this.#changes = 0;
  }

  /** Marks a collection as one that contains no generated resources. */
  markComplete(collection: string): void {
    this.#complete.add(collection);
  }

  /** Tests whether a collection contains only stored resources. */
  isComplete(collection: string): boolean {
    return this.#complete.has(collection);
  }

  /** Collections with stored or deleted resources, or marked as complete. */
  collections(): readonly string[] {
    return [...new Set([...this.#complete, ...this.#collections.keys()])];
  }

  /** Ids of the deleted resources of a collection. */
  deletedIds(collection: string): readonly string[] {
    return [...(this.#collections.get(collection) ?? [])].flatMap(
      ([id, stored]) => (stored === undefined ? [id] : []),
    );
  }

  #sizeOf(collection: string, id: string): number {
    const old = this.find(collection, id);
    if (old === undefined) return 0;
    return isStored(old)
      ? (this.#sizes.get(old) ?? 0)
      : memorySize([collection, id]);
  }

  #of(collection: string): Map<string, StoredResource | undefined> {
    let resources = this.#collections.get(collection);
    if (resources === undefined)
      this.#collections.set(collection, (resources = new Map()));
    return resources;
  }
}

function storeFull(): ApiError {
  return new ApiError(
    429,
    "The mock has reached its storage limit; restart the mock.",
  );
}

function sizeOf({ value, media }: StoredResource, ...names: string[]): number {
  const content = media === undefined ? 0 : media.bytes.length;
  return memorySize([value, media?.contentType, ...names]) + content;
}

function isStored(
  state: StoredResource | "deleted" | undefined,
): state is StoredResource {
  return state !== undefined && state !== "deleted";
}
