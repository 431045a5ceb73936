import type { Definition, Method, Schema } from "../model/ir.js";
import { objectFields } from "../model/queries.js";
import { isJsonObject } from "./conform.js";
import { Random } from "./random.js";
import { identifierOf } from "./texts.js";
import type { JsonObject, ValueMaker } from "./values.js";

type Definitions = ReadonlyMap<string, Definition>;

/** Maximum number of elements that are generated for a request. */
const MAX_ELEMENTS = 10_000;

/** Lists of a response that have an element for each of `requests` (AIP-231). */
const RESULTS = /^(responses|replies|results)$/;

/**
 * Returns a generated response whose lists have as many elements as the list of
 * the request that they correspond to: `messageIds` to `messages`, `responses` or
 * `replies` to `requests`, and the only list of a response to `requests`.
 */
export function withCorrespondingLists(
  response: JsonObject,
  body: unknown,
  method: Method,
  key: string,
  maker: ValueMaker,
  definitions: Definitions,
): JsonObject {
  if (!isJsonObject(body)) return response;
  const lists = objectFields(method.response, definitions).flatMap((field) =>
    field.schema.kind === "list"
      ? [{ name: field.name, items: field.schema.items }]
      : [],
  );
  const changed = lists.flatMap(({ name, items }) => {
    const requested = Object.entries(body).find(
      ([other, value]) =>
        Array.isArray(value) && corresponds(name, other, lists.length === 1),
    )?.[1] as readonly unknown[] | undefined;
    if (requested === undefined) return [];
    const elements = requested.slice(0, MAX_ELEMENTS).map((_, index) => {
      const seed = `${key}/${name}/${index}`;
      const isId = name.endsWith("Ids") && isPlainText(items);
      return isId
        ? identifierOf(new Random(seed), false)
        : maker.make(items, seed);
    });
    return [[name, elements] as const];
  });
  return changed.length === 0
    ? response
    : { ...response, ...Object.fromEntries(changed) };
}

function isPlainText(schema: Schema): boolean {
  return (
    schema.kind === "scalar" &&
    schema.type === "string" &&
    schema.format === undefined
  );
}

function corresponds(
  name: string,
  requested: string,
  isOnlyList: boolean,
): boolean {
  if (requested === "requests") return isOnlyList || RESULTS.test(name);
  return name === `${requested.replace(/s$/, "")}Ids`;
}
