import type { ApiDefinition } from "../runtime/server/contract.js";

/**
 * Starts of the paths of an API, as `Service.paths` has them: whole segments
 * before the first variable, with a slash at the end. Without the path of
 * batches, which many APIs share.
 */
export function placesOf(api: ApiDefinition): string[] {
  const { servicePath } = api;
  const calls = api.methods.flatMap(({ route, download }) =>
    [route].flat().flatMap((one) => {
      const path = servicePath + one;
      return download === "service" ? [path, `download/${path}`] : [path];
    }),
  );
  const uploads = api.methods.flatMap(({ upload }) => upload?.routes ?? []);
  const all = [...calls, ...uploads].map(startOf);
  return [...new Set(all)].filter(
    (one) => !all.some((other) => other !== one && isBelow(one, other)),
  );
}

/** `/v1/projects/` of `v1/{name=projects/*}`; a path without variables stays whole. */
function startOf(route: string): string {
  const form = route.replace(/\{[^{}=]*(?:=([^{}]*))?\}/g, (_, form = "*") =>
    String(form),
  );
  const end = form.indexOf("*");
  const fixed =
    end === -1 ? form : form.slice(0, form.lastIndexOf("/", end) + 1);
  return `/${fixed}`;
}

function isBelow(path: string, start: string): boolean {
  return start.endsWith("/") && path.startsWith(start);
}

/** A start of paths that two sets have in common; undefined where there is none. */
export function clashOf(
  some: readonly string[],
  others: readonly string[],
): string | undefined {
  return some.find((one) =>
    others.some(
      (other) => one === other || isBelow(one, other) || isBelow(other, one),
    ),
  );
}

/** Whether a request goes to one of the places. */
export function isAt(target: string, places: readonly string[]): boolean {
  const [path = "/"] = target.split("?", 1);
  return places.some((place) => path === place || isBelow(path, place));
}
