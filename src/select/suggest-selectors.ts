import { closest } from "../diagnostics/closest.js";
import type { LocatedMethod } from "../model/raw-methods.js";
import { SCOPE_PREFIX, shortScope } from "./selector.js";

/** Maximum number of suggestions for a selector that matches no method. */
const MAX_SUGGESTIONS = 3;

/**
 * Returns a suggestion of the form ` (did you mean a, b or c?)` with the
 * selectors that are most similar to a selector without matches; an empty
 * string if no selector is similar.
 * @param name name of the API, which is the first segment of most method ids
 */
export function suggestSelectors(
  selector: string,
  name: string,
  methods: readonly LocatedMethod[],
): string {
  const pool = candidates(selector, methods).filter(
    ({ length }) => length <= 2 * selector.length + 10,
  );
  const isBare = selector.startsWith(SCOPE_PREFIX) || selector.startsWith(name);
  const words = isBare ? [selector] : [`${name}.${selector}`, selector];
  const found: string[] = [];
  for (const word of words)
    while (found.length < MAX_SUGGESTIONS) {
      const next = closest(
        word,
        pool.filter((candidate) => !found.includes(candidate)),
      );
      if (next === undefined) break;
      found.push(next);
    }
  const last = found.pop();
  if (last === undefined) return "";
  const list = found.length === 0 ? last : `${found.join(", ")} or ${last}`;
  return ` (did you mean ${list}?)`;
}

/**
 * Returns all selectors that can be suggested: scopes for a scope selector,
 * `<resource>.*` for a selector that ends with `*`, and method ids otherwise.
 */
function candidates(
  selector: string,
  methods: readonly LocatedMethod[],
): string[] {
  if (selector.startsWith(SCOPE_PREFIX)) {
    const isUrl = selector.includes("://");
    const scopes = methods.flatMap(({ raw }) => raw.scopes ?? []);
    const names = scopes.map((scope) => (isUrl ? scope : shortScope(scope)));
    return [...new Set(names)].map((scope) => SCOPE_PREFIX + scope);
  }
  const isBroad = selector.endsWith("*");
  const ids = methods.map(({ id }) => id);
  const groups = ids.map((id) => id.slice(0, id.lastIndexOf(".")));
  const names = isBroad
    ? groups.filter((id) => id.includes(".")).map((id) => `${id}.*`)
    : ids;
  return [...new Set(names)];
}
