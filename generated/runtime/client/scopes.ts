/* eslint-disable */
// biome-ignore-all lint: generated

import type { Method } from "./method.js";

/**
 * Group of methods that accept the same OAuth scopes. Any one of the scopes is
 * sufficient for a call.
 */
export interface ScopeSet {
  /** OAuth 2.0 scopes (`scopes` of a method in the API description). */
  readonly scopes: readonly string[];
  /** IDs of the methods. */
  readonly methods: readonly string[];
}

/**
 * API method, either unbound (with a client as first parameter) or bound to a
 * client.
 */
export type ScopedMethod = (...parameters: never[]) => unknown;

/**
 * Returns the smallest list of OAuth scopes that contains at least one scope of
 * each method. Methods without scopes are ignored. If several lists have the
 * smallest size, the list with the most read-only scopes is preferred. The next
 * criterion is the total length of the scope names, because scopes with short
 * names usually cover more of the API. The last criterion is alphabetical
 * order.
 *
 * @throws TypeError for a function that is not a method of a generated client.
 */
export function smallestScopes(
  sets: readonly ScopeSet[],
  methods: readonly ScopedMethod[],
): string[] {
  const ids = new Set(methods.map(idOf));
  const required = sets
    .filter((set) => set.methods.some((id) => ids.has(id)))
    .map(({ scopes }) => [...new Set(scopes)].sort(byRank))
    .sort((a, b) => a.length - b.length);
  for (let size = 0; ; size++) {
    const cover = findCover(required, size);
    if (cover) return cover.sort();
  }
}

function idOf(method: ScopedMethod): string {
  const { descriptor } = method as Partial<Method<never, never>>;
  if (!descriptor)
    throw new TypeError(`${method.name} is not a method of a generated client`);
  return descriptor.id;
}

/**
 * Returns a list of at most `size` scopes that contains at least one scope from
 * each given set; `undefined` if no such list exists. If there are several such
 * lists, returns the one with the lowest `rank`.
 */
function findCover(
  sets: readonly (readonly string[])[],
  size: number,
): string[] | undefined {
  const [first, ...rest] = sets;
  if (!first) return [];
  if (!size) return undefined;
  let best: string[] | undefined;
  for (const scope of first) {
    const uncovered = rest.filter((scopes) => !scopes.includes(scope));
    const others = findCover(uncovered, size - 1);
    const list = others && [scope, ...others];
    if (list && (!best || rank(list) < rank(best))) best = list;
  }
  return best;
}

/** Returns a sort key for a list of scopes. Preferred lists have lower keys. */
function rank(list: readonly string[]): string {
  const writing = list.filter((scope) => !readOnly.test(scope)).length;
  const length = list.join("").length;
  const digits = [writing, length].map((n) => String(n).padStart(6, "0"));
  return [...digits, ...[...list].sort()].join(" ");
}

function byRank(a: string, b: string): number {
  return rank([a]) < rank([b]) ? -1 : 1;
}

const readOnly = /read[-_]?only$/i;
