import type { Method } from "../../model/ir.js";

/**
 * Maximum number of lists of scopes that are compared for an API. Documents
 * with more alternatives get the best list that was found.
 */
const MAX_LISTS = 100_000;

/**
 * Returns the least scopes with which all methods can be called: the fewest,
 * then the most read-only ones, then those that the fewest methods of the API
 * accept. Methods without scopes are ignored.
 * @param called methods that the code calls
 * @param all methods of the API
 */
export function leastScopes(
  called: readonly Method[],
  all: readonly Method[],
): readonly string[] {
  const breadths = new Map<string, number>();
  for (const { scopes } of all)
    for (const scope of scopes)
      breadths.set(scope, (breadths.get(scope) ?? 0) + 1);
  const rankOf = (list: readonly string[]): readonly (number | string)[] => [
    list.length,
    list.filter((scope) => !isReadOnly(scope)).length,
    list.reduce((sum, scope) => sum + (breadths.get(scope) ?? 0), 0),
    [...list].sort().join(" "),
  ];
  const isBetter = (a: readonly string[], b: readonly string[]): boolean =>
    compare(rankOf(a), rankOf(b)) < 0;
  let best: readonly string[] | undefined;
  let lists = 0;
  const search = (
    chosen: readonly string[],
    required: readonly (readonly string[])[],
  ): void => {
    if (++lists > MAX_LISTS && best !== undefined) return;
    const [first, ...rest] = required;
    if (first === undefined) {
      if (best === undefined || isBetter(chosen, best)) best = chosen;
      return;
    }
    if (best !== undefined && chosen.length + 1 > best.length) return;
    for (const scope of first)
      search(
        [...chosen, scope],
        rest.filter((scopes) => !scopes.includes(scope)),
      );
  };
  const uncovered = (scope: string, sets: readonly (readonly string[])[]) =>
    sets.filter((scopes) => !scopes.includes(scope)).length;
  const sets = smallestSets(called);
  search(
    [],
    sets.map((scopes) =>
      // The first list that is found covers the most methods with each scope.
      [...scopes].sort(
        (a, b) =>
          uncovered(a, sets) - uncovered(b, sets) ||
          compare(rankOf([a]), rankOf([b])),
      ),
    ),
  );
  return [...(best ?? [])].sort();
}

/**
 * Returns the sets of scopes that methods accept, the smallest first, without
 * those that contain another set: a scope of the smaller set is sufficient.
 */
function smallestSets(
  methods: readonly Method[],
): readonly (readonly string[])[] {
  const sets = methods
    .map(({ scopes }) => [...new Set(scopes)])
    .filter(({ length }) => length > 0)
    .sort((a, b) => a.length - b.length);
  const kept: (readonly string[])[] = [];
  for (const set of sets)
    if (!kept.some((other) => other.every((scope) => set.includes(scope))))
      kept.push(set);
  return kept;
}

/** Tests whether a scope only permits reading, by its name. */
function isReadOnly(scope: string): boolean {
  return /read[-_]?only$/i.test(scope);
}

function compare(
  a: readonly (number | string)[],
  b: readonly (number | string)[],
): number {
  for (const [index, one] of a.entries()) {
    const other = b[index]!;
    if (one !== other) return one < other ? -1 : 1;
  }
  return 0;
}
