import type { CorsOptions } from "./options.js";
import type { ServerRequest } from "./request.js";

type Headers = Record<string, string>;

/** Response headers that scripts of allowed origins can always read. */
const EXPOSED = [
  "content-range",
  "etag",
  "link",
  "location",
  "range",
  "retry-after",
  "x-goog-hash",
  "x-goog-upload-chunk-granularity",
  "x-goog-upload-size-received",
  "x-goog-upload-status",
  "x-goog-upload-url",
  "x-guploader-uploadid",
  "x-request-id",
];

/**
 * Returns the headers that allow scripts of an allowed origin to read the
 * response. For other origins, returns only `vary`.
 */
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
 * Adds the CORS headers to a response. Header names that the response already
 * lists in `vary` are preserved.
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

/** Restores header names in `vary` that were lost when `vary` was replaced. */
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

/**
 * Returns the CORS headers of the response to a preflight request. Returns no
 * headers for any other OPTIONS request.
 */
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
