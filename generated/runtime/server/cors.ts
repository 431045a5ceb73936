/* eslint-disable */
// biome-ignore-all lint: generated

import type { CorsOptions } from "./options.js";
import type { ServerRequest } from "./request.js";

type Headers = Record<string, string>;

/** Headers that clients of these APIs read. */
const EXPOSED = [
  "content-range",
  "etag",
  "link",
  "location",
  "range",
  "retry-after",
  "x-goog-hash",
  "x-guploader-uploadid",
  "x-request-id",
];

/** What lets the caller's page see the answer; nothing for other origins. */
function corsHeaders(request: ServerRequest, cors: CorsOptions): Headers {
  const origin = request.header("origin");
  if (origin === undefined)
    return cors.origins === "*" ? {} : { vary: "origin" };
  const { origins, credentials = false, expose = [] } = cors;
  if (origins !== "*" && !origins.includes(origin)) return { vary: "origin" };
  return {
    "access-control-allow-origin": origins === "*" ? "*" : origin,
    "access-control-expose-headers": [...EXPOSED, ...expose].join(", "),
    ...(origins === "*" ? {} : { vary: "origin" }),
    ...(credentials && origins !== "*"
      ? { "access-control-allow-credentials": "true" }
      : {}),
  };
}

/**
 * Adds the headers of an option to those of a response; fields in `vary` are
 * added to those that it has.
 */
export function addCors(
  headers: Headers,
  request: ServerRequest,
  cors: CorsOptions,
): void {
  const { vary } = headers;
  Object.assign(headers, corsHeaders(request, cors));
  mergeVary(headers, vary);
}

/** Adds the fields that a response had in `vary`, if they were replaced. */
export function mergeVary(headers: Headers, before: string | undefined): void {
  const { vary } = headers;
  if (before === undefined || vary === undefined || vary === before) return;
  const known = fieldsOf(before.toLowerCase());
  const added = fieldsOf(vary).filter(
    (field) => !known.includes(field.toLowerCase()),
  );
  headers["vary"] = [before, ...added].join(", ");
}

function fieldsOf(list: string): string[] {
  return list.split(",").map((field) => field.trim());
}

/** What a preflight wants to know; nothing for any other OPTIONS. */
export function preflight(
  request: ServerRequest,
  allow: string,
  cors: CorsOptions | undefined,
): Headers {
  if (
    cors === undefined ||
    request.header("access-control-request-method") === undefined
  )
    return {};
  const headers = request.header("access-control-request-headers");
  return {
    "access-control-allow-methods": allow,
    "access-control-max-age": String(cors.maxAge ?? 3600),
    ...(headers === undefined
      ? {}
      : { "access-control-allow-headers": headers }),
  };
}
