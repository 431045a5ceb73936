import { ApiError } from "../runtime/server/error.js";
import type { ServerRequest } from "../runtime/server/request.js";
import type { Params } from "./mock-context.js";
import type { JsonObject } from "./values.js";

/**
 * Checks the headers If-Match and If-None-Match (RFC 9110 §13.1), and the
 * parameters `ifGenerationMatch`, `ifMetagenerationMatch` and their negations.
 *
 * @param resource resource before the call; undefined if it does not exist
 * @returns false if a read is conditional on a change and there is none, so that
 *   the response is 304
 * @throws ApiError 412 if another condition is false
 */
export function checkPreconditions(
  request: ServerRequest,
  params: Params,
  resource: JsonObject | undefined,
): boolean {
  const isRead = request.method === "GET" || request.method === "HEAD";
  const etag = textOf(resource?.["etag"]);
  const ifMatch = request.header("if-match");
  if (ifMatch !== undefined && !matches(ifMatch, etag, resource))
    throw failed("If-Match");
  const ifNoneMatch = request.header("if-none-match");
  // The runtime responds with 304 to a read.
  const isTaken =
    ifNoneMatch !== undefined && matches(ifNoneMatch, etag, resource);
  if (isTaken && !isRead) throw failed("If-None-Match");
  for (const [name, wanted] of Object.entries(params)) {
    const condition = /^if(Meta)?[gG]eneration(Not)?Match$/.exec(name);
    if (condition === null || wanted === undefined) continue;
    const field = condition[1] === undefined ? "generation" : "metageneration";
    // Generation 0 means that the resource does not exist.
    const actual = textOf(resource?.[field]) ?? "0";
    const isEqual = actual === String(wanted);
    const isNegated = condition[2] !== undefined;
    if (isEqual !== isNegated) continue;
    if (isRead && isNegated) return false;
    throw failed(name);
  }
  return true;
}

function matches(
  header: string,
  etag: string | undefined,
  resource: JsonObject | undefined,
): boolean {
  if (header.trim() === "*") return resource !== undefined;
  const plain = (tag: string): string =>
    tag.trim().replace(/^W\//, "").replace(/^"|"$/g, "");
  return (
    etag !== undefined &&
    header.split(",").some((tag) => plain(tag) === plain(etag))
  );
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" || typeof value === "number"
    ? String(value)
    : undefined;
}

function failed(name: string): ApiError {
  return new ApiError(412, `The condition ${name} is not met.`, {
    reason: "conditionNotMet",
  });
}
