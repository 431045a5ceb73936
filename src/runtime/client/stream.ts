import type { Call, Feature, Invocation, PendingCall } from "./call.js";
import { readEnvelope } from "./envelope.js";
import { ApiError, toApiError, type ErrorFacts } from "./error.js";
import { execute } from "./execute.js";
import type { ApiRequest } from "./request.js";
import { elements } from "./stream/json-array.js";
import { eventData } from "./stream/sse.js";
import { texts } from "./stream/text.js";

/**
 * A call whose answer can be had piece by piece, as it arrives. Leaving the
 * loop ends the request.
 *
 * @throws ApiError also for an error that comes in the stream.
 */
export interface StreamCall<T, I> extends Call<T>, AsyncIterable<I> {}

/** How a method streams server-sent events. */
export interface EventRules {
  /** The field of `requestBody` that asks for it; iteration sets it. */
  readonly when?: string;
  /** The data of an event that ends the stream, such as `[DONE]`. */
  readonly end?: string;
  /** Parameters that ask for it, such as `{ alt: "sse" }`. */
  readonly parameters?: Readonly<Record<string, unknown>>;
}

/** Lets a call be iterated over the JSON data of server-sent events. */
/* @__NO_SIDE_EFFECTS__ */
export function events(rules: EventRules = {}): Feature {
  const { when, end } = rules;
  return streaming(
    (invocation) => {
      const parameters = { ...invocation.parameters, ...rules.parameters };
      if (when !== undefined)
        parameters["requestBody"] = {
          ...Object(parameters["requestBody"]),
          [when]: true,
        };
      return { ...invocation, parameters };
    },
    (pieces) => eventData(pieces, end),
  );
}

/** Lets a call be iterated over the elements of a JSON array. */
/* @__NO_SIDE_EFFECTS__ */
export function jsonArray(): Feature {
  return streaming((invocation) => invocation, elements);
}

/** The JSON texts in a text that arrives in pieces. */
type Split = (pieces: AsyncIterable<string>) => AsyncIterable<string>;

function streaming(
  change: (invocation: Invocation) => Invocation,
  split: Split,
): Feature {
  return (call, invocation) => ({
    [Symbol.asyncIterator]() {
      call.taken = true;
      return iterate(call, change(invocation), split);
    },
  });
}

async function* iterate(
  _: PendingCall,
  call: Invocation,
  split: Split,
): AsyncGenerator<unknown> {
  const controller = new AbortController();
  const stop = () => controller.abort(call.options.signal?.reason);
  call.options.signal?.addEventListener("abort", stop);
  if (call.options.signal?.aborted) stop();
  const { signal } = controller;
  const options = { ...call.options, signal };
  let facts: ErrorFacts = { kind: "network", methodId: call.descriptor.id };
  try {
    const open = async (response: Response, request: ApiRequest) => {
      facts = request.facts;
      return response;
    };
    const { data } = await execute({ ...call, options }, open, true);
    facts.kind = "network";
    for await (const text of split(texts(data.body))) yield parse(text, facts);
  } catch (thrown) {
    throw toApiError(thrown, signal, facts);
  } finally {
    call.options.signal?.removeEventListener("abort", stop);
    controller.abort();
  }
}

/** @throws ApiError for an error in place of a value. */
function parse(text: string, facts: ErrorFacts): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    const body = text.slice(0, 2000);
    throw new ApiError("the stream holds what is not JSON", {
      ...facts,
      kind: "decode",
      body,
      cause,
    });
  }
  if (value && typeof value == "object" && "error" in value && value.error) {
    const { message, ...envelope } = readEnvelope(text);
    const body = text.slice(0, 2000);
    throw new ApiError(message ?? "the stream ended with an error", {
      ...facts,
      kind: "http",
      body,
      ...envelope,
    });
  }
  return value;
}
