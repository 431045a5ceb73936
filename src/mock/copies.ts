import type { Definition, Method } from "../model/ir.js";
import { objectFields } from "../model/queries.js";
import type { Call } from "../runtime/server/call.js";
import { mergePatch } from "../runtime/server/merge-patch.js";
import { lowerFirst, type Action } from "./actions.js";
import { isJsonObject } from "./conform.js";
import type { Caller, Params, ResourceKey } from "./mock-context.js";
import { withMembers } from "./resource-fields.js";
import { type Resources, seededMedia } from "./resources.js";
import type { StoredMedia } from "./store.js";
import type { JsonObject } from "./values.js";

/** Names of the variables of a target: `destinationBucket` is `bucket`. */
export function targetNames(
  names: Params,
  target: ResourceKey | undefined,
): Params {
  if (target === undefined) return names;
  const entries = Object.entries(names).flatMap(([name, value]) => {
    const [, rest] = /^(?:destination|target)([A-Z]\w*)$/.exec(name) ?? [];
    return rest === undefined ? [] : [[lowerFirst(rest), value] as const];
  });
  return Object.fromEntries(entries);
}

/**
 * Returns the members and the content of a copy of a resource, or of one that is
 * composed of the resources that the body lists by name.
 */
export function copyOf(
  { kind, bodyField }: Action,
  resources: Resources,
  { body }: Call,
  key: ResourceKey,
  caller: Caller,
): { readonly body: JsonObject; readonly media: StoredMedia | undefined } {
  const own = bodyField === undefined ? body : Object(body)[bodyField];
  const given = isJsonObject(own) ? own : {};
  if (kind === "copy") {
    const { value, media } = resources.get(key, caller);
    return { body: mergePatch(resources.copyable(value), given), media };
  }
  const parts = Object.values(Object(body) as JsonObject)
    .filter(Array.isArray)
    .flat()
    .flatMap((part: unknown) =>
      isJsonObject(part) && typeof part["name"] === "string"
        ? [resources.get({ ...key, id: part["name"] }, caller)]
        : [],
    )
    .map(({ media }) => media ?? seededMedia(key.id));
  const bytes = Buffer.concat(parts.map((part) => part.bytes));
  const contentType =
    given["contentType"] ?? parts[0]?.contentType ?? "application/octet-stream";
  return { body: given, media: { bytes, contentType: String(contentType) } };
}

/**
 * Sets the members that describe a completed copy, and removes the token that
 * continues one.
 */
export function copyResult(
  response: JsonObject,
  method: Method,
  media: StoredMedia | undefined,
  definitions: ReadonlyMap<string, Definition>,
): JsonObject {
  const fields = objectFields(method.response, definitions);
  const size = String(media?.bytes.length ?? 0);
  const sizes = fields.filter(({ name }) => /size$|bytes/i.test(name));
  const members = Object.fromEntries(sizes.map(({ name }) => [name, size]));
  const entries = Object.entries(response).filter(
    ([name]) => !/token$/i.test(name),
  );
  const byName = new Map(fields.map((field) => [field.name, field]));
  return withMembers(Object.fromEntries(entries), byName, {
    ...members,
    done: true,
  });
}
