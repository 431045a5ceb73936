import { ApiError } from "../../../generated/runtime/server/index.js";
import { eventData } from "../../../generated/runtime/client/stream-parsers.js";
import type {
  Backend,
  CompletionJob,
  EmbeddingJob,
  JsonObject,
} from "./backend.js";
import { scanJson } from "./json-scan.js";
import { isObject } from "../../diagnostics/json.js";
import { UpstreamCall } from "./upstream-call.js";
import type { UpstreamConfig, UpstreamMethod } from "./upstream-config.js";
import {
  eventFailure,
  backendError,
  upstreamFailure,
} from "./upstream-errors.js";

/** Maximum number of characters in an event. */
const MAX_EVENT = 2 * 1024 * 1024;

/** Maximum number of characters in an error body. */
const MAX_FAILURE = 64 * 1024;

/**
 * Returns a backend that forwards requests to another service that implements
 * the same API.
 */
export function upstreamBackend(
  config: UpstreamConfig,
): Required<Pick<Backend, "maxDuration" | "complete" | "stream" | "embed">> {
  return {
    maxDuration: maxDurationOf(config),
    complete: async (job) =>
      withRequestModel(await request("completions", config, job), config, job),
    stream: (job) => stream(config, job),
    embed: async (job) =>
      withRequestModel(await request("embeddings", config, job), config, job),
  };
}

function maxDurationOf({
  maxTime,
  timeout,
  firstByte,
}: UpstreamConfig): number {
  return Math.max(maxTime, timeout, firstByte);
}

/** Members of complete responses that clients rely on. */
const RESULTS = { completions: "choices", embeddings: "data" } as const;

/** Returns a complete response. */
async function request(
  method: UpstreamMethod,
  config: UpstreamConfig,
  job: ModelJob,
): Promise<JsonObject> {
  const call = new UpstreamCall(config, job, config.responseTimeout);
  try {
    const response = await send(method, call, config, job);
    const text = await readAll(call, response, config.maxSize);
    const result = checkResponse(parse(text), RESULTS[method], config);
    call.onUsage(result);
    return result;
  } catch (error) {
    if (error instanceof ApiError) call.onInvalid();
    throw error;
  } finally {
    call.close();
  }
}

async function* stream(
  config: UpstreamConfig,
  job: CompletionJob,
): AsyncGenerator<JsonObject> {
  const { firstByte, timeout } = config;
  const call = new UpstreamCall(config, job, firstByte, timeout);
  const hidesUsage = config.streamUsage && !requestsUsage(job);
  let isDone = false;
  try {
    const text = hidesUsage ? withUsage(job) : job.text;
    const response = await send("completions", call, config, { ...job, text });
    const type = response.headers.get("content-type") ?? "";
    if (!/^text\/event-stream\s*(?:;|$)/i.test(type))
      throw backendError(502, "The backend's response is not an event stream.");
    const events = eventData(textOf(call.chunks(response)), "[DONE]");
    for await (const data of events) {
      const chunk = checkResponse(parse(data), "choices", config);
      call.onUsage(chunk);
      if (hidesUsage && isUsageChunk(chunk)) job.onHiddenChunk(chunk);
      else yield withRequestModel(chunk, config, job);
    }
    call.finish();
    isDone = true;
  } catch (error) {
    throw call.failure(
      error instanceof TypeError
        ? backendError(502, "The backend's response ended early.")
        : error,
    );
  } finally {
    if (!isDone) call.close();
  }
}

function requestsUsage({ body }: CompletionJob): boolean {
  return body.stream_options?.include_usage === true;
}

/** Returns the text of a request that also requests the usage. */
function withUsage({ text, body }: CompletionJob): string {
  const options = JSON.stringify({
    ...body.stream_options,
    include_usage: true,
  });
  const old = scanJson(text).members.get("stream_options");
  if (old !== undefined)
    return text.slice(0, old.from) + options + text.slice(old.to);
  const start = text.indexOf("{") + 1;
  return `${text.slice(0, start)}"stream_options":${options},${text.slice(start)}`;
}

/** Tests whether a chunk has only usage. */
function isUsageChunk({ choices, usage }: JsonObject): boolean {
  return (choices as unknown[]).length === 0 && isObject(usage);
}

/** Request whose body names a model. */
type ModelJob = CompletionJob | EmbeddingJob;

/**
 * Sends the request to the backend. The body is unchanged, except for the name
 * of the model.
 *
 * @throws ApiError for an error response
 */
async function send(
  method: UpstreamMethod,
  call: UpstreamCall,
  config: UpstreamConfig,
  job: ModelJob,
): Promise<Response> {
  const model = config.model ?? job.body.model;
  const response = await call.open(method, bodyOf(config, job), model);
  const { status, headers } = response;
  if (status === 200) return response;
  // Redirects are not followed, because the API key must not be sent to another
  // server.
  const text =
    status < 400
      ? ""
      : await readAll(call, response, MAX_FAILURE).catch(() => "");
  throw upstreamFailure(status, headers, tryParse(text), config);
}

/** Replaces the value of the member `model` in the text of the request. */
function bodyOf({ model }: UpstreamConfig, { text }: ModelJob): string {
  if (model === undefined) return text;
  const { from, to } = scanJson(text).members.get("model")!;
  return text.slice(0, from) + JSON.stringify(model) + text.slice(to);
}

async function readAll(
  call: UpstreamCall,
  response: Response,
  limit: number,
): Promise<string> {
  let text = "";
  for await (const piece of textOf(call.chunks(response), Infinity)) {
    text += piece;
    if (text.length > limit)
      throw backendError(502, "The backend's response is too long.");
  }
  return text;
}

/**
 * Decodes bytes to text. Limits the number of characters after the last line
 * break, so that an event that does not end is rejected.
 */
async function* textOf(
  chunks: AsyncIterable<Uint8Array>,
  limit: number = MAX_EVENT,
): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let size = 0;
  for await (const chunk of chunks) {
    const text = decoder.decode(chunk, { stream: true });
    const end = text.lastIndexOf("\n");
    size = end === -1 ? size + text.length : text.length - end;
    if (size > limit)
      throw backendError(
        502,
        `An event in the backend's response is longer than ${limit} characters.`,
      );
    yield text;
  }
}

function parse(text: string): unknown {
  const value = tryParse(text);
  if (value === undefined)
    throw backendError(502, "The backend's response is not JSON.");
  return value;
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/**
 * Checks only the members that clients rely on. All other members are forwarded
 * without a check.
 */
function checkResponse(
  value: unknown,
  result: (typeof RESULTS)[UpstreamMethod],
  config: UpstreamConfig,
): JsonObject {
  if (!isObject(value))
    throw backendError(502, "The backend's response is not an object.");
  const { error } = value;
  if (isObject(error) || typeof error === "string")
    throw eventFailure(value, config);
  if (!Array.isArray(value[result]))
    throw backendError(502, `The backend's response has no ${result}.`);
  return value;
}

/**
 * Replaces the backend's model name in a response with the model name from the
 * request.
 */
function withRequestModel(
  value: JsonObject,
  { model }: UpstreamConfig,
  { body }: ModelJob,
): JsonObject {
  return model === undefined ? value : { ...value, model: body.model };
}
