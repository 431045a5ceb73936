import { ApiError } from "../../../generated/runtime/server/index.js";
import { relationOf, splitKey } from "../store/relations.js";
import type { StoreReader } from "../store/store.js";

/** Parameters of the methods with pages. */
export interface PageParameters {
  readonly pageSize: number;
  readonly pageToken?: string;
}

/** Page of a list, and the token of the next page if there is one. */
export interface Page<T> {
  readonly values: readonly T[];
  readonly nextPageToken?: string;
}

/** Rows of a table to list. */
export interface Listing {
  readonly table: string;
  readonly prefix?: string;
  readonly isReverse?: boolean;
}

/**
 * Returns a page of a table. A token is the position of the last row, so pages
 * stay correct while rows are added and deleted.
 *
 * @throws ApiError 400 if the token is not one of this list
 */
export async function pageOf<T>(
  store: StoreReader,
  { table, prefix = "", isReverse = false }: Listing,
  { pageSize, pageToken }: PageParameters,
): Promise<Page<readonly [key: string, value: T]>> {
  const after =
    pageToken === undefined ? undefined : prefix + positionOf(pageToken);
  const relation = relationOf(table);
  if (
    after !== undefined &&
    relation &&
    splitKey(relation, after) === undefined
  )
    throw invalidToken();
  const entries = await store.list<T>(table, {
    prefix,
    isReverse,
    limit: pageSize + 1,
    ...(after === undefined ? {} : { after }),
  });
  return cutPage(
    entries,
    pageSize,
    ({ key }) => key.slice(prefix.length),
    ({ key, value }) => [key, value] as const,
  );
}

/** Returns a page of rows that begin with the page, with at most one more. */
export function cutPage<R, T>(
  rows: readonly R[],
  pageSize: number,
  positionOfRow: (row: R) => string,
  valueOf: (row: R) => T,
): Page<T> {
  const values = rows.slice(0, pageSize).map(valueOf);
  const last = rows[pageSize - 1];
  return rows.length <= pageSize || last === undefined
    ? { values }
    : { values, nextPageToken: tokenOf(positionOfRow(last)) };
}

function tokenOf(position: string): string {
  return Buffer.from(position).toString("base64url");
}

/** @throws ApiError 400 if the text is not a token */
export function positionOf(token: string): string {
  const position = Buffer.from(token, "base64url").toString();
  if (tokenOf(position) !== token || position === "") throw invalidToken();
  return position;
}

export function invalidToken(): ApiError {
  const message = "pageToken must be a nextPageToken of the same list.";
  return new ApiError(400, message, {
    problems: [{ message, location: "pageToken" }],
  });
}
