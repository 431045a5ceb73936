/* eslint-disable */
// biome-ignore-all lint: generated

import type {
  Call,
  CallResult,
  Feature,
  Invocation,
  PendingCall,
  ReadError,
} from "./contract.js";
import { readEnvelope } from "./error.js";
import { ApiError, toApiError, type ErrorContext } from "./error.js";
import { execute } from "./execute.js";
import type { ApiRequest } from "./request.js";
import { elements } from "./stream-parsers.js";
import { eventData } from "./stream-parsers.js";
import { texts } from "./stream-parsers.js";

export type { StreamCall } from "./call-types.js";

/** Rules for a method that can respond with server-sent events. */
export interface EventRules {
  /** Members that are added to `requestBody` to request server-sent events. */
  readonly when?: Readonly<Record<string, unknown>>;
  /**
   * Data of the event that ends the stream, such as `[DONE]`. A stream without
   * this event is incomplete.
   */
  readonly end?: string;
  /**
   * Query parameters that request server-sent events, such as `{ alt: "sse" }`.
   */
  readonly parameters?: Readonly<Record<string, unknown>>;
}

/**
 * Returns the `Feature` that adds iteration over the JSON data of server-sent
 * events.
 */
/* @__NO_SIDE_EFFECTS__ */
export function events(rules: EventRules = {}): Feature {
  return streaming(requestEvents(rules), splitEvents(rules));
}

/**
 * Returns the `Feature` that adds iteration over the elements of a JSON array.
 */
/* @__NO_SIDE_EFFECTS__ */
export function jsonArray(): Feature {
  return streaming((invocation) => invocation, elements);
}

/**
 * Iterates over the elements of a JSON array while the response is being
 * received, for methods whose API description does not declare a streamed
 * response. Sends the request immediately.
 *
 *     for await (const result of eachElement(documents.runQuery({ ... }))) …
 */
export function eachElement<T>(call: Call<T>): AsyncIterable<T> {
  return iterateCall(call, (invocation) => invocation, elements);
}

/**
 * Iterates over the data of server-sent events while they are being received,
 * for methods whose API description does not declare server-sent events.
 *
 * @param rules parameters that request events, and the event that ends the
 *   stream.
 */
export function eachEvent<T>(
  call: Call<T>,
  rules: EventRules = {},
): AsyncIterable<T> {
  return iterateCall(call, requestEvents(rules), splitEvents(rules));
}

/**
 * Function that splits text into JSON texts. The text is received in chunks.
 */
type SplitText = (chunks: AsyncIterable<string>) => AsyncIterable<string>;

/** Function that returns a copy of a call with changed parameters. */
type ChangeInvocation = (invocation: Invocation) => Invocation;

function splitEvents({ end }: EventRules): SplitText {
  return (chunks) => eventData(chunks, end);
}

/**
 * Returns a function that adds parameters to a call. The parameters request
 * server-sent events.
 */
function requestEvents({
  when,
  parameters: added,
}: EventRules): ChangeInvocation {
  return (invocation) => {
    const parameters = { ...invocation.parameters, ...added };
    if (when !== undefined)
      parameters["requestBody"] = {
        ...Object(parameters["requestBody"]),
        ...when,
      };
    return { ...invocation, parameters };
  };
}

function streaming(change: ChangeInvocation, split: SplitText): Feature {
  return (call, invocation) => ({
    [Symbol.asyncIterator]() {
      call.taken = true;
      return iterate(openStream(change(invocation)), split);
    },
  });
}

function iterateCall<T>(
  call: Call<T>,
  change: ChangeInvocation,
  split: SplitText,
): AsyncIterable<T> {
  const pending = call as unknown as PendingCall;
  pending.taken = true;
  const result = pending.start((invocation) => openStream(change(invocation)));
  result.catch(() => {});
  return iterate(
    result as Promise<CallResult<OpenStream>>,
    split,
  ) as AsyncIterable<T>;
}

/** Streamed response whose body has not been read yet. */
interface OpenStream {
  readonly body: Response["body"];
  readonly context: ErrorContext;
  readonly signal: AbortSignal;
  /** Parses error objects that the server sends in the stream. */
  readonly errors: ReadError;
  /** Aborts the request. */
  close(): void;
}

async function openStream(call: Invocation): Promise<CallResult<OpenStream>> {
  const { signal: outer } = call.options;
  const controller = new AbortController();
  const stop = () => controller.abort(outer?.reason);
  const close = () => {
    outer?.removeEventListener("abort", stop);
    controller.abort();
  };
  outer?.addEventListener("abort", stop);
  if (outer?.aborted) stop();
  const { signal } = controller;
  const read = async ({ body }: Response, { context }: ApiRequest) => {
    context.kind = "network";
    const { errors = readEnvelope } = call.descriptor;
    return { body, context, signal, errors, close };
  };
  const options = { ...call.options, signal };
  return execute({ ...call, options }, read, true).catch((error) => {
    close();
    throw error;
  });
}

async function* iterate(
  result: Promise<CallResult<OpenStream>>,
  split: SplitText,
): AsyncGenerator<unknown> {
  const { body, context, signal, errors, close } = (await result).data;
  try {
    for await (const text of split(texts(body)))
      yield parse(text, context, errors);
  } catch (thrown) {
    throw toApiError(thrown, signal, context);
  } finally {
    close();
  }
}

/**
 * Parses one JSON text of a stream.
 *
 * @throws ApiError if the text is an error object.
 */
function parse(text: string, context: ErrorContext, read: ReadError): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    const body = text.slice(0, 2000);
    throw new ApiError("an element of the stream is not JSON", {
      ...context,
      kind: "decode",
      body,
      cause,
    });
  }
  if (value && typeof value === "object" && "error" in value && value.error) {
    const envelope = read(text, context.status ?? 0);
    const { serverMessage = "the stream ended with an error" } = envelope;
    throw new ApiError(serverMessage, {
      ...context,
      kind: "http",
      ...envelope,
    });
  }
  return value;
}
