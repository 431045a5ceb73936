import { eventData } from "../../../generated/runtime/client/stream/sse.js";
import type { Backend, Job, JsonObject } from "./backend.js";
import { lookThrough } from "./json-text.js";
import { isObject } from "../../diagnostics/json.js";
import { UpstreamCall } from "./upstream-call.js";
import type { UpstreamConfig } from "./upstream-config.js";
import { eventFailure, failed, upstreamFailure } from "./upstream-errors.js";

/** Characters of an event, and of a body that tells of a failure. */
const MAX_EVENT = 2 * 1024 * 1024;
const MAX_FAILURE = 64 * 1024;

/** Passes requests on to another service of this protocol, and its answers back. */
export function upstreamBackend(config: UpstreamConfig): Backend {
  return {
    longest: Math.max(config.maxTime, config.timeout),
    complete: (job) => complete(config, job),
    stream: (job) => stream(config, job),
  };
}

async function complete(config: UpstreamConfig, job: Job): Promise<JsonObject> {
  const call = new UpstreamCall(config, job, config.wholeTimeout);
  try {
    const response = await send(call, config, job);
    const text = await readAll(call, response, config.maxSize);
    return renamed(checked(parse(text), config), config, job);
  } finally {
    call.close();
  }
}

async function* stream(
  config: UpstreamConfig,
  job: Job,
): AsyncGenerator<JsonObject> {
  const call = new UpstreamCall(config, job);
  let isDone = false;
  try {
    const response = await send(call, config, job);
    const type = response.headers.get("content-type") ?? "";
    if (!/^text\/event-stream\s*(?:;|$)/i.test(type))
      throw failed(502, "The back end's answer is no stream.");
    const events = eventData(textOf(call.pieces(response)), "[DONE]");
    for await (const data of events)
      yield renamed(checked(parse(data), config), config, job);
    call.finish();
    isDone = true;
  } catch (error) {
    if (error instanceof TypeError)
      throw failed(502, "The back end's answer broke off.");
    throw call.failure(error);
  } finally {
    if (!isDone) call.close();
  }
}

/**
 * Sends the request as it came, but for the model's name.
 *
 * @throws ApiError for an answer that is a failure
 */
async function send(
  call: UpstreamCall,
  config: UpstreamConfig,
  job: Job,
): Promise<Response> {
  const response = await call.open(bodyOf(config, job));
  const { status, headers } = response;
  if (status === 200) return response;
  // Redirections are not followed: the key must not go elsewhere.
  const text =
    status < 400
      ? ""
      : await readAll(call, response, MAX_FAILURE).catch(() => "");
  throw upstreamFailure(status, headers, tryParse(text), config);
}

/** The text of the request with the back end's name of the model in its place. */
function bodyOf({ model }: UpstreamConfig, { text }: Job): string {
  if (model === undefined) return text;
  const { from, to } = lookThrough(text).members.get("model")!;
  return text.slice(0, from) + JSON.stringify(model) + text.slice(to);
}

async function readAll(
  call: UpstreamCall,
  response: Response,
  limit: number,
): Promise<string> {
  let text = "";
  for await (const piece of textOf(call.pieces(response), Infinity)) {
    text += piece;
    if (text.length > limit)
      throw failed(502, "The back end's answer is too long.");
  }
  return text;
}

/**
 * Bytes as text. An event that has no end is too long at some point: what is
 * counted are characters since the last line's end.
 */
async function* textOf(
  pieces: AsyncIterable<Uint8Array>,
  limit: number = MAX_EVENT,
): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let size = 0;
  for await (const piece of pieces) {
    const text = decoder.decode(piece, { stream: true });
    const end = text.lastIndexOf("\n");
    size = end === -1 ? size + text.length : text.length - end;
    if (size > limit)
      throw failed(502, "An event of the back end is too long.");
    yield text;
  }
}

function parse(text: string): unknown {
  const value = tryParse(text);
  if (value === undefined)
    throw failed(502, "The back end's answer is not JSON.");
  return value;
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Looks at as little as clients rely on: all else is passed on as it is. */
function checked(value: unknown, config: UpstreamConfig): JsonObject {
  if (!isObject(value))
    throw failed(502, "The back end's answer is no object.");
  const { error } = value;
  if (isObject(error) || typeof error === "string")
    throw eventFailure(value, config);
  if (!Array.isArray(value["choices"]))
    throw failed(502, "The back end's answer has no choices.");
  return value;
}

/** Under its name here, where the back end has another one for the model. */
function renamed(
  value: JsonObject,
  { model }: UpstreamConfig,
  { body }: Job,
): JsonObject {
  return model === undefined ? value : { ...value, model: body.model };
}
