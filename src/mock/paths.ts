import type { ApiDefinition } from "../runtime/server/contract.js";
import { withoutNames } from "./method-role.js";

/**
 * Returns the path prefixes of an API in the format of `Service.paths`: for
 * each path, the segments before the first variable, with a trailing slash. The
 * path for batch requests is excluded, because many APIs share it.
 */
export function pathPrefixesOf(api: ApiDefinition): string[] {
  const { servicePath } = api;
  const calls = api.methods.flatMap(({ route, download }) =>
    [route].flat().flatMap((template) => {
      const path = servicePath + template;
      return download === "service" ? [path, `download/${path}`] : [path];
    }),
  );
  const uploads = api.methods.flatMap(({ upload }) => upload?.routes ?? []);
  const prefixes = [...calls, ...uploads].map(fixedPrefixOf);
  return [...new Set(prefixes)].filter(
    (prefix) =>
      !prefixes.some(
        (other) => other !== prefix && isUnderPrefix(prefix, other),
      ),
  );
}

/**
 * Returns the part of a path template before its first variable, such as
 * `/v1/projects/` for `v1/{name=projects/*}`. A path without variables is
 * returned unchanged.
 */
function fixedPrefixOf(route: string): string {
  const form = withoutNames(route);
  const end = form.indexOf("*");
  const fixed =
    end === -1 ? form : form.slice(0, form.lastIndexOf("/", end) + 1);
  return `/${fixed}`;
}

function isUnderPrefix(path: string, start: string): boolean {
  return start.endsWith("/") && path.startsWith(start);
}

/**
 * Returns a prefix in `some` that overlaps with a prefix in `others`: both are
 * equal, or one starts with the other.
 */
export function findSharedPrefix(
  some: readonly string[],
  others: readonly string[],
): string | undefined {
  return some.find((prefix) =>
    others.some(
      (other) =>
        prefix === other ||
        isUnderPrefix(prefix, other) ||
        isUnderPrefix(other, prefix),
    ),
  );
}

/** Tests whether the path of a request starts with one of the prefixes. */
export function matchesPrefix(
  target: string,
  prefixes: readonly string[],
): boolean {
  const [path = "/"] = target.split("?", 1);
  return prefixes.some(
    (prefix) => path === prefix || isUnderPrefix(path, prefix),
  );
}
