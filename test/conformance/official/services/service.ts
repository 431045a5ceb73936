import { ApiError } from "../../../../src/runtime/server/index.js";
import type { Call } from "../../../../src/runtime/server/call.js";

/** Members of a request or response. */
export type Fields = Record<string, unknown>;

/** Call as seen by the services, whose types are not known at compile time. */
export interface Asked extends Omit<Call, "params" | "body"> {
  readonly params: Readonly<Fields>;
  readonly body: Fields | undefined;
}

/** Returns a string parameter; empty if it is absent. */
export function text(params: Readonly<Fields>, name: string): string {
  return String(params[name] ?? "");
}

/** Returns the value of a key. @throws ApiError 404 */
export function known<T>(
  kept: ReadonlyMap<string, T>,
  key: string,
  what: string,
): T {
  const found = kept.get(key);
  if (found === undefined)
    throw new ApiError(404, `${what} ${key} was not found.`);
  return found;
}

/** Returns a page of a list, and the token of the next page. */
export function pageOf<T>(
  all: readonly T[],
  { pageToken }: Readonly<Fields>,
  size: number,
): { readonly items: readonly T[]; readonly nextPageToken?: string } {
  const start = Number(pageToken ?? 0);
  const items = all.slice(start, start + size);
  const next = start + size;
  return next < all.length ? { items, nextPageToken: String(next) } : { items };
}

/** Returns a number from a parameter, or the default. */
export function countOf(
  params: Readonly<Fields>,
  name: string,
  usual: number,
): number {
  const asked = Number(params[name] ?? usual);
  return asked > 0 ? asked : usual;
}
