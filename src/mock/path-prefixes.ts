import type { ApiDefinition } from "../runtime/server/contract.js";

/**
 * Returns the path prefixes of an API as in `Service.paths`: the segments
 * before the first variable, with a trailing slash. The path of batch requests
 * is excluded because many APIs share it.
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
 * Returns `/v1/projects/` for `v1/{name=projects/*}`, and the path itself if it
 * has no variables.
 */
function fixedPrefixOf(route: string): string {
  const form = route.replace(/\{[^{}=]*(?:=([^{}]*))?\}/g, (_, form = "*") =>
    String(form),
  );
  const end = form.indexOf("*");
  const fixed =
    end === -1 ? form : form.slice(0, form.lastIndexOf("/", end) + 1);
  return `/${fixed}`;
}

function isUnderPrefix(path: string, start: string): boolean {
  return start.endsWith("/") && path.startsWith(start);
}

/**
 * Returns a prefix in `some` that overlaps with a prefix in `others`: they are
 * equal, or one is below the other.
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

/** Returns true if the path of a request starts with one of the prefixes. */
export function matchesPrefix(
  target: string,
  prefixes: readonly string[],
): boolean {
  const [path = "/"] = target.split("?", 1);
  return prefixes.some(
    (prefix) => path === prefix || isUnderPrefix(path, prefix),
  );
}
