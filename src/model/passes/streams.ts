import type { RawMethod } from "../../load/raw.js";
import { below, type At, type BuildContext } from "../build/context.js";
import { buildNode } from "../build/schema.js";
import type { Schema, Stream } from "../ir.js";

/**
 * How a method's answer can be had in pieces: as server-sent events
 * (extension `x-stream`), or as the elements of a JSON array, which is what
 * the server gives for a method with `streamingType`.
 */
export function buildStream(
  id: string,
  raw: RawMethod,
  response: Schema | undefined,
  at: At,
  context: BuildContext,
): Stream | undefined {
  const events = raw["x-stream"];
  if (events?.$ref !== undefined) {
    const place = below(at, "x-stream");
    const owner = { id, field: "event", depth: 0 };
    return {
      format: "events",
      element: buildNode({ $ref: events.$ref }, place, context, owner),
      ...(events.when === undefined ? {} : { when: events.when }),
      ...(events.end === undefined ? {} : { end: events.end }),
    };
  }
  const isArray = /server|bidi/i.test(raw.streamingType ?? "");
  return isArray && response !== undefined
    ? { format: "array", element: response }
    : undefined;
}
