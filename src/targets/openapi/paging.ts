import type { Method } from "../../model/ir.js";
import { jsonObject, toJson, type JsonObject } from "../json-schema/json.js";

/**
 * Returns the extensions that describe pagination, long-running operations and
 * streams: extensions of this generator, and extensions that Speakeasy and Fern
 * support.
 */
export function sequenceExtensions(method: Method): JsonObject {
  const { operation, stream, links } = method;
  return jsonObject({
    ...tokenExtensions(method),
    "x-discovery-links": links && {
      page: links.page,
      size: links.size,
      link: links.link,
    },
    "x-discovery-operation":
      operation &&
      jsonObject({
        style: operation.style,
        poll: operation.poll && toJson(operation.poll),
        result:
          operation.result?.kind === "ref" ? operation.result.id : undefined,
      }),
    "x-discovery-stream":
      stream &&
      jsonObject({
        format: stream.format,
        when: stream.when && toJson(stream.when),
        end: stream.end,
      }),
  });
}

function tokenExtensions({
  paging,
}: Method): Readonly<Record<string, JsonObject>> {
  if (paging === undefined) return {};
  const { token, next, items, others } = paging;
  const isList = items !== undefined && !items.isMap;
  const inBody = paging.in === "body";
  return {
    "x-discovery-paging": jsonObject({
      token,
      in: paging.in,
      next,
      items: items?.field,
      isMap: items?.isMap || undefined,
      others: others.length === 0 ? undefined : [...others],
    }),
    "x-speakeasy-pagination": {
      type: "cursor",
      inputs: [
        {
          name: token,
          in: inBody ? "requestBody" : "parameters",
          type: "cursor",
        },
      ],
      outputs: jsonObject({
        nextCursor: jsonPath(next),
        results: isList ? jsonPath(items.field) : undefined,
      }),
    },
    ...(isList
      ? {
          "x-fern-pagination": {
            cursor: `$request.${token}`,
            next_cursor: `$response.${next}`,
            results: `$response.${items.field}`,
          },
        }
      : {}),
  };
}

/** Returns the JSONPath expression for a member (RFC 9535). */
function jsonPath(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name)
    ? `$.${name}`
    : `$[${JSON.stringify(name)}]`;
}
