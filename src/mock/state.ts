import type { Method } from "../model/ir.js";
import { ApiError } from "../runtime/server/error.js";
import { isJsonObject } from "./conform.js";
import { DataError, DataPlacer, type MockData } from "./data.js";
import type { MockContext } from "./mock-context.js";
import type { Resources } from "./resources.js";
import type { MethodRole, ResourceType } from "./method-role.js";
import type { StoredMedia } from "./store.js";

/** Member of a saved state with everything that is not a resource. */
export const STATE_MEMBER = "$mock";

/** Value of `$mock` in a saved state. */
export interface StateDetails {
  /** Number of changes since the start. */
  readonly changes: number;
  /** Ids of the resources of each collection, in the order of the list. */
  readonly ids: Readonly<Record<string, readonly string[]>>;
  /** Ids of deleted resources. */
  readonly deleted: Readonly<Record<string, readonly string[]>>;
  /** Collections that contain no generated resources. */
  readonly complete: readonly string[];
  /** Uploaded content in base64, keyed by collection and id. */
  readonly content: Readonly<
    Record<string, Readonly<Record<string, SavedContent>>>
  >;
}

interface SavedContent {
  readonly contentType: string;
  readonly base64: string;
}

type Roles = ReadonlyMap<Method, MethodRole>;

/**
 * Stores the resources of data, or of a state that {@link saveState} returned.
 *
 * @param resourcesOf function that returns the resources of a type
 * @throws DataError if the data does not fit the API
 */
export function loadState(
  data: MockData,
  { store, api }: MockContext,
  roles: Roles,
  resourcesOf: (resourceType: ResourceType) => Resources,
): void {
  const { [STATE_MEMBER]: member, ...lists } = data;
  const saved = member === undefined ? undefined : detailsOf(member);
  const placer = new DataPlacer(roles, api.name);
  for (const [key, list] of Object.entries(lists)) {
    const isComplete = saved?.complete.includes(key) ?? true;
    const fixed = placer.fixedCollection(key);
    if (fixed !== undefined && isComplete) store.markComplete(fixed);
    for (const [index, resource] of placer.place(key, list).entries()) {
      const { resourceType, collection, value } = resource;
      if (isComplete) store.markComplete(collection);
      const id = saved?.ids[key]?.[index];
      const media = contentOf(saved, collection, id);
      try {
        resourcesOf(resourceType).load(collection, value, { id, media });
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        throw new DataError(`${key}[${index}]: ${error.message}`);
      }
    }
  }
  if (saved === undefined) return;
  for (const [collection, ids] of Object.entries(saved.deleted))
    for (const id of ids) store.remove(collection, id);
  store.setChanges(saved.changes);
}

/** Returns all changes as data, with {@link StateDetails}. */
export function saveState({ store, api }: MockContext, roles: Roles): MockData {
  const placer = new DataPlacer(roles, api.name);
  const lists: [string, unknown][] = [];
  const ids: [string, readonly string[]][] = [];
  const deleted: [string, readonly string[]][] = [];
  const content: [string, Readonly<Record<string, SavedContent>>][] = [];
  for (const collection of store.collections()) {
    const stored = store.ids(collection).flatMap((id) => {
      const found = store.find(collection, id);
      return typeof found === "object" ? [{ id, ...found }] : [];
    });
    const isSingleton = placer.typeOf(collection)?.isSingleton === true;
    const values = stored.map(({ value }) => value);
    if (!isSingleton) lists.push([collection, values]);
    else if (values.length > 0) lists.push([collection, values[0]]);
    ids.push([collection, stored.map(({ id }) => id)]);
    deleted.push([collection, store.deletedIds(collection)]);
    const contents = stored.flatMap(({ id, media }) =>
      media === undefined ? [] : [[id, encodeContent(media)] as const],
    );
    if (contents.length > 0)
      content.push([collection, Object.fromEntries(contents)]);
  }
  const details: StateDetails = {
    changes: store.changes,
    complete: store.collections().filter((name) => store.isComplete(name)),
    ids: Object.fromEntries(ids),
    deleted: Object.fromEntries(deleted.filter(([, list]) => list.length > 0)),
    content: Object.fromEntries(content),
  };
  return structuredClone({
    ...Object.fromEntries(lists),
    [STATE_MEMBER]: details,
  });
}

/** @throws DataError if the value is not of a saved state */
function detailsOf(value: unknown): StateDetails {
  const { changes, complete, ids, deleted, content } = Object(value) as Partial<
    Record<keyof StateDetails, unknown>
  >;
  const isValid =
    Number.isSafeInteger(changes) &&
    Array.isArray(complete) &&
    isListMap(ids) &&
    isListMap(deleted) &&
    isJsonObject(content) &&
    Object.values(content).every(isContentMap);
  if (isValid) return value as StateDetails;
  throw new DataError(
    `${STATE_MEMBER} must be the unchanged member of a saved state`,
  );
}

function isListMap(value: unknown): boolean {
  return (
    isJsonObject(value) &&
    Object.values(value).every(
      (list) =>
        Array.isArray(list) && list.every((id) => typeof id === "string"),
    )
  );
}

function isContentMap(value: unknown): boolean {
  return (
    isJsonObject(value) &&
    Object.values(value).every(
      (entry) =>
        isJsonObject(entry) &&
        typeof entry["contentType"] === "string" &&
        typeof entry["base64"] === "string",
    )
  );
}

function encodeContent({ bytes, contentType }: StoredMedia): SavedContent {
  return { contentType, base64: Buffer.from(bytes).toString("base64") };
}

function contentOf(
  saved: StateDetails | undefined,
  collection: string,
  id: string = "",
): StoredMedia | undefined {
  const encoded = saved?.content[collection]?.[id];
  return encoded === undefined
    ? undefined
    : {
        bytes: Buffer.from(encoded.base64, "base64"),
        contentType: encoded.contentType,
      };
}
