import { isDeepStrictEqual } from "node:util";
import type { Call } from "../../../src/runtime/server/index.js";
import type { Seen } from "./records.js";

/** Input of a handler. */
export interface Reached {
  readonly id: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  readonly media: string | undefined;
  readonly mediaType: string | undefined;
  readonly wantsContent: boolean;
}

/** Records the input of a handler. */
export async function reachedBy(call: Call): Promise<Reached> {
  const { method, params, body, media, wantsContent } = call;
  const bytes = await media?.bytes();
  const isRaw = media !== undefined && body === media;
  return {
    id: method.id,
    params: params as Reached["params"],
    body: isRaw ? parsed(bytes!) : body,
    media: bytes && Buffer.from(bytes).toString("base64"),
    mediaType: media?.contentType,
    wantsContent,
  };
}

/** Content of any media type can be read once; it is JSON in all records. */
function parsed(bytes: Uint8Array): unknown {
  const text = new TextDecoder().decode(bytes);
  return text === "" ? undefined : JSON.parse(text);
}

/** Returns the differences between a call and the input of the handler. */
export function differences(seen: Seen, reached: Reached): string[] {
  const { record } = seen;
  const found: string[] = [];
  if (reached.id !== record.methodId) return [`reached ${reached.id}`];
  for (const [name, value] of Object.entries(givenOf(seen))) {
    const got = reached.params[name];
    if (!isSame(value, got)) found.push(`parameter ${name}`);
  }
  const body = bodyOf(seen);
  if (body !== undefined && !isDeepStrictEqual(body, reached.body ?? null))
    found.push("body");
  if (record.media !== undefined) {
    if (reached.media !== record.media.base64) found.push("media");
    if (reached.mediaType !== record.media.mimeType) found.push("media type");
  }
  if ((record.kind === "download") !== reached.wantsContent)
    found.push("form of the response");
  return found;
}

/** Returns the parameters of the call, and the token of a next page. */
function givenOf({ record }: Seen): Readonly<Record<string, unknown>> {
  const { params, next } = record;
  return next?.in === "query"
    ? { ...params, [next.requestField]: next.token }
    : params;
}

/** Returns the body that the server must receive; undefined if the record has none. */
function bodyOf({ record, expected }: Seen): unknown {
  const { next, body } = record;
  if (next?.in === "body")
    return { ...(body as object), [next.requestField]: next.token };
  if (record.media !== undefined) return body ?? null;
  return expected.body === null ? null : body;
}

/** Returns whether wire text and a decoded value are equal. */
function isSame(given: unknown, got: unknown): boolean {
  // Empty lists are not sent; the server uses the default, if there is one.
  if (Array.isArray(given) && given.length === 0) return true;
  if (Array.isArray(given)) {
    const list = Array.isArray(got) ? got : [];
    return (
      given.length === list.length &&
      given.every((one, index) => isSame(one, list[index]))
    );
  }
  if (Array.isArray(got)) return got.length === 1 && isSame(given, got[0]);
  if (typeof given === "number" || typeof got === "number")
    return Number(given) === Number(got);
  return String(given) === String(got);
}

/** Errors of a strict server for requests that the document forbids. */
const FORBIDDEN =
  /^400 .*(?:it must be an integer from -9223372036854775808 to 9223372036854775807|The body is missing|Body member \S+ is missing|Media type .* is not supported)/;

/**
 * Returns the reason why a request can differ from the call; undefined if it must not.
 *
 * @param found differences
 */
export function exceptionOf(
  { record, client, expected }: Seen,
  found: readonly string[],
): string | undefined {
  const { params, kind } = record;
  const values = Object.values(params).flat().map(String);
  const alt = `alt=${String(params["alt"])}`;
  const hasTriplet = values.some((value) => /%[\da-f]{2}/i.test(value));
  if (record.case === "hostile") return "hostile values, judged by safety";
  if ("alt" in params && !expected.rawQuery.includes(alt))
    return "Python replaces the caller's alt";
  if (kind === "next" && client !== "node" && values.includes(""))
    return "Python loses empty parameters of the next page";
  if (client === "python-new" && hasTriplet)
    return "Python leaves percent triplets in paths as they are";
  return FORBIDDEN.test(found[0]!)
    ? "the document forbids it: a type, a missing body or member, a media type"
    : undefined;
}
