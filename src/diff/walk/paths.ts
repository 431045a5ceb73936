import type { Method } from "../../model/ir.js";
import type { Side } from "../side.js";

/** Returns a path in which the names of variables are removed: `books/{}`. */
export function shapeOf(path: string): string {
  return path.replace(/\{(\+?)[^{}]*\}/g, "{$1}");
}

/** Returns the path of a method relative to the root URL. */
export function urlPath({ path }: Method, { api }: Side): string {
  return api.servicePath + path;
}

/** Returns the names of the resources that contain a method, joined by dots. */
export function resourceOf(method: Method, side: Side): string {
  return side.resourceOf.get(method) ?? "";
}

/**
 * Returns true if one of the methods has a flat path that differs from its
 * path. If not, the rule `flat-path-changed` reports nothing, because
 * `path-changed` reports the same change.
 */
export function hasOwnFlatPath(...methods: readonly Method[]): boolean {
  return methods.some(
    ({ path, flatPath }) => flatPath !== undefined && flatPath !== path,
  );
}

/**
 * Returns a map from old to new names of path variables. Variables are matched
 * by position. The map is empty if the literals of the two paths differ.
 */
export function renamedVariables(
  old: Method,
  now: Method,
): ReadonlyMap<string, string> {
  const renamed = new Map<string, string>();
  if (shapeOf(old.path) !== shapeOf(now.path)) return renamed;
  const [before, after] = [namesIn(old), namesIn(now)];
  for (const [index, name] of before.entries()) {
    const other = after[index];
    const isMoved = after.includes(name);
    if (other !== undefined && other !== name && !isMoved)
      renamed.set(name, other);
  }
  return renamed;
}

function namesIn({ tokens }: Method): string[] {
  return tokens.flatMap((token) => ("name" in token ? [token.name] : []));
}
