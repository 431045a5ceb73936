import {
  itemKey,
  itemKinds,
  itemStates,
  tables,
  type ItemKind,
  type StoredItem,
} from "../data.js";
import type { Transaction } from "../../store/store.js";
import {
  amount,
  currency,
  ValueProblem,
  flag,
  id,
  list,
  oneOf,
  text,
  time,
  url,
  version,
  type Column,
} from "./columns.js";
import {
  formatProblem,
  type MemberProblem,
  type Row,
  type Rows,
} from "./rows.js";

/**
 * Columns of an import file for items: the members of Item in the API, and
 * internal fields such as `kind` and `state`.
 */
export const itemColumns: readonly Column[] = [
  { name: "id", ...id },
  { name: "name", isRequired: true, ...text(255) },
  { name: "description", isRequired: true, ...text(100_000, true) },
  { name: "category", isRequired: true, ...text(255) },
  { name: "sub_category", isRequired: true, ...text(255) },
  { name: "options", ...list(text(255)) },
  { name: "version", isRequired: true, ...version },
  { name: "demo_link", isRequired: true, ...url },
  { name: "tags", ...list(text(100)) },
  { name: "media.thumbnail", isRequired: true, ...url },
  { name: "media.preview_image", ...url },
  { name: "media.preview_video", ...url },
  { name: "media.preview_audio", ...url },
  { name: "media.screenshots", ...list(url) },
  { name: "price.regular", isRequired: true, ...amount },
  { name: "price.extended", isRequired: true, ...amount },
  { name: "currency", isRequired: true, ...currency },
  { name: "published_at", ...time },
  { name: "kind", ...oneOf(itemKinds) },
  { name: "state", ...oneOf(itemStates) },
  { name: "support", ...flag },
];

/**
 * Rules for preview members, keyed by kind of item, then by member name. The
 * value is true if the member is required, and false if it is not allowed.
 */
const PREVIEWS: Readonly<Record<ItemKind, Readonly<Record<string, boolean>>>> =
  {
    file: { image: true, video: false, audio: false },
    image: { image: true, video: false, audio: false },
    video: { image: true, video: true, audio: false },
    audio: { image: false, video: false, audio: true },
  };

/**
 * Converts rows to items. An item without an id is assigned the next free id;
 * an item without a publication time is assigned `now`.
 */
export async function prepareItems(
  { rows, problems }: Rows,
  owner: string,
  tx: Transaction,
  now: string,
): Promise<{ items: readonly StoredItem[]; problems: readonly string[] }> {
  const allProblems = [...problems];
  const items: StoredItem[] = [];
  const ids = new Map<number, string>();
  let last = await lastId(tx, owner, rows);
  for (const row of rows) {
    const rowProblems = [
      ...previewProblems(row.values).map(({ column, problem }) =>
        formatProblem(row.position, column, undefined, problem),
      ),
      ...duplicateIdProblems(row, ids),
    ];
    allProblems.push(...rowProblems);
    if (rowProblems.length > 0) continue;
    const id = (row.values["id"] as number) ?? ++last;
    items.push(itemOf(row.values, id, now));
  }
  return { items, problems: allProblems };
}

/**
 * Returns the highest id of the owner's stored items and of the items in the
 * import file.
 */
export async function lastId(
  tx: Transaction,
  owner: string,
  rows: readonly Row[] = [],
): Promise<number> {
  const range = { prefix: `${owner}/`, isReverse: true, limit: 1 };
  const [newest] = await tx.list<StoredItem>(tables.items, range);
  return rows.reduce(
    (most, { values }) => Math.max(most, (values["id"] as number) ?? 0),
    newest?.value.id ?? 0,
  );
}

function duplicateIdProblems(
  { position, values }: Row,
  ids: Map<number, string>,
): string[] {
  const id = values["id"] as number | undefined;
  if (id === undefined) return [];
  const other = ids.get(id);
  ids.set(id, other ?? position);
  if (other === undefined) return [];
  const valueProblem = new ValueProblem(
    `must be unique, but is already used in ${other}`,
    "give each item a different id",
  );
  return [formatProblem(position, "id", id, valueProblem)];
}

/**
 * Returns the kind of item in a row. If the kind is missing, derives it from
 * the previews in the row.
 */
function kindOf(values: Row["values"]): ItemKind {
  if (values["kind"] !== undefined) return values["kind"] as ItemKind;
  if (values["media.preview_audio"] !== undefined) return "audio";
  return values["media.preview_video"] === undefined ? "file" : "video";
}

/** Returns the problems of the previews of an item. */
export function previewProblems(values: Row["values"]): MemberProblem[] {
  const kind = kindOf(values);
  return Object.entries(PREVIEWS[kind]).flatMap(([name, isRequired]) => {
    const column = `media.preview_${name}`;
    const value = values[column];
    if ((value !== undefined) === isRequired) return [];
    const problem = isRequired
      ? new ValueProblem(
          `is missing; items of kind ${kind} require it`,
          "add it",
        )
      : new ValueProblem(
          `is not allowed for items of kind ${kind}`,
          "remove the value, or change the kind",
        );
    return [{ column, problem }];
  });
}

/**
 * Returns the item with the values of a row.
 *
 * @param id id of the item
 * @param now publication time of an item without one
 */
export function itemOf(
  values: Row["values"],
  id: number,
  now: string,
): StoredItem {
  const get = <T>(name: string, fallback?: T): T =>
    (values[name] ?? fallback) as T;
  const media = (name: string, column: string): object =>
    values[column] === undefined ? {} : { [name]: values[column] };
  return {
    id,
    kind: kindOf(values),
    state: get("state", "approved"),
    hasSupport: get("support", true),
    name: get("name"),
    description: get("description"),
    category: get("category"),
    subCategory: get("sub_category"),
    options: get("options", []),
    version: get("version"),
    demoLink: get("demo_link"),
    tags: get("tags", []),
    thumbnail: get("media.thumbnail"),
    ...media("previewImage", "media.preview_image"),
    ...media("previewVideo", "media.preview_video"),
    ...media("previewAudio", "media.preview_audio"),
    screenshots: get("media.screenshots", []),
    regularPrice: get("price.regular"),
    extendedPrice: get("price.extended"),
    currency: get("currency"),
    publishedAt: get("published_at", now),
  };
}

/** Stores items, and increments the version number of the owner's items. */
export async function putItems(
  tx: Transaction,
  owner: string,
  items: readonly StoredItem[],
): Promise<void> {
  for (const item of items)
    tx.put(tables.items, itemKey(owner, item.id)!, item);
  await countVersion(tx, owner);
}

/** Increments the version number of an owner's items after a change. */
export async function countVersion(
  tx: Transaction,
  owner: string,
): Promise<void> {
  const version = (await tx.get<number>(tables.versions, owner)) ?? 0;
  tx.put(tables.versions, owner, version + 1);
}
