import type { Method } from "./method.js";

/** Methods that have the same scopes, each of which is enough for a call. */
export interface ScopeSet {
  /** OAuth 2.0 scopes (document field `scopes` of methods). */
  readonly scopes: readonly string[];
  /** Ids of methods. */
  readonly methods: readonly string[];
}

/** A method, flat or bound to a client. */
export type ScopedMethod = (...parameters: never[]) => unknown;

/**
 * The smallest list of OAuth scopes with which all the methods can be called:
 * each of them has one of its scopes in the list. Methods without scopes do
 * not matter. Among lists of one size the one with most read-only scopes wins,
 * then the one with the shorter scopes, which are those of the API as a whole
 * and not of a part of it, then the alphabet.
 *
 * @throws TypeError for a function that is no method.
 */
export function smallestScopes(
  sets: readonly ScopeSet[],
  methods: readonly ScopedMethod[],
): string[] {
  const ids = new Set(methods.map(idOf));
  const wanted = sets
    .filter((set) => set.methods.some((id) => ids.has(id)))
    .map(({ scopes }) => [...new Set(scopes)].sort(byRank))
    .sort((a, b) => a.length - b.length);
  for (let size = 0; ; size++) {
    const found = findCover(wanted, size);
    if (found) return found.sort();
  }
}

function idOf(method: ScopedMethod): string {
  const { descriptor } = method as Partial<Method<never, never>>;
  if (!descriptor) throw new TypeError(`${method.name} is no method`);
  return descriptor.id;
}

/** At most `size` scopes that hit every set, the best ones; or none. */
function findCover(
  sets: readonly (readonly string[])[],
  size: number,
): string[] | undefined {
  const [open, ...rest] = sets;
  if (!open) return [];
  if (!size) return undefined;
  let best: string[] | undefined;
  for (const scope of open) {
    const left = rest.filter((scopes) => !scopes.includes(scope));
    const more = findCover(left, size - 1);
    const list = more && [scope, ...more];
    if (list && (!best || rank(list) < rank(best))) best = list;
  }
  return best;
}

/** Sorts the better list first. */
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
