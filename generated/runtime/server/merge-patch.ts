/* eslint-disable */
// biome-ignore-all lint: generated

/**
 * Body of a PATCH request: members to change. A member that is `null` is
 * removed from the resource.
 */
export type MergePatch<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? { readonly [K in keyof T]?: MergePatch<T[K]> | null | undefined }
    : T;

/**
 * Applies the body of a PATCH or update request to a resource, as a JSON merge
 * patch (RFC 7396): objects are merged, members that are `null` are removed,
 * and all other values, including arrays, are replaced.
 *
 * With a field mask (AIP-134), the patch changes exactly the listed fields, such
 * as `title,labels.owner`: their values are replaced, not merged, and fields
 * that the patch does not contain are removed. The mask `*` lists all fields of
 * the resource and the patch. Names with underscores match names in camel case.
 *
 * @param updateMask field mask; absent or empty for a merge patch
 * @returns a copy; neither argument is changed
 */
export function mergePatch<T extends object>(
  resource: T,
  patch: MergePatch<T> | null | undefined,
  updateMask?: string,
): T {
  const body = patch ?? {};
  const paths = (updateMask ?? "")
    .split(",")
    .map((path) => path.trim())
    .filter((path) => path !== "");
  if (paths.length === 0) return merged(resource, body) as T;
  const all = paths.includes("*")
    ? [...Object.keys(resource), ...Object.keys(body)]
    : paths.map(toCamelCase);
  let result: unknown = resource;
  for (const path of all) result = withField(result, body, path.split("."));
  return result as T;
}

type Members = Readonly<Record<string, unknown>>;

function isObject(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function merged(value: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const members = new Map(Object.entries(isObject(value) ? value : {}));
  for (const [name, change] of Object.entries(patch)) {
    if (change === undefined) continue;
    if (change === null) members.delete(name);
    else members.set(name, merged(members.get(name), change));
  }
  return Object.fromEntries(members);
}

/** Returns a copy with the field of the patch at a path of names. */
function withField(
  value: unknown,
  patch: unknown,
  [name = "", ...rest]: readonly string[],
): unknown {
  const members = new Map(Object.entries(isObject(value) ? value : {}));
  const change =
    isObject(patch) && Object.hasOwn(patch, name) ? patch[name] : undefined;
  if (rest.length > 0)
    members.set(name, withField(members.get(name), change, rest));
  else if (change === undefined || change === null) members.delete(name);
  else members.set(name, change);
  return Object.fromEntries(members);
}

function toCamelCase(path: string): string {
  return path.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
