import type {
  Call,
  CallResult,
  Feature,
  Invocation,
  PendingCall,
  ReadError,
} from "./contract.js";
import { readEnvelope } from "./envelope.js";
import { ApiError, toApiError, type ErrorFacts } from "./error.js";
import { execute } from "./execute.js";
import type { ApiRequest } from "./request.js";
import { elements } from "./stream/json-array.js";
import { eventData } from "./stream/sse.js";
import { texts } from "./stream/text.js";

export type { StreamCall } from "./call-types.js";

/** How a method streams server-sent events. */
export interface EventRules {
  /** Fields of `requestBody` that ask for it; iteration sets them. */
  readonly when?: Readonly<Record<string, unknown>>;
  /**
   * The data of an event that ends the stream, such as `[DONE]`; a stream that
   * ends without it has broken off.
   */
  readonly end?: string;
  /** Parameters that ask for it, such as `{ alt: "sse" }`. */
  readonly parameters?: Readonly<Record<string, unknown>>;
}

/** Lets a call be iterated over the JSON data of server-sent events. */
/* @__NO_SIDE_EFFECTS__ */
export function events(rules: EventRules = {}): Feature {
  return streaming(requestEvents(rules), splitEvents(rules));
}

/** Lets a call be iterated over the elements of a JSON array. */
/* @__NO_SIDE_EFFECTS__ */
export function jsonArray(): Feature {
  return streaming((invocation) => invocation, elements);
}

/**
 * The elements of an answer that is a JSON array, as they arrive, where the
 * description does not say that it is one. The request is sent at once.
 *
 *     for await (const found of eachElement(documents.runQuery({ ... }))) …
 */
export function eachElement<T>(call: Call<T>): AsyncIterable<T> {
  return iterateCall(call, (invocation) => invocation, elements);
}

/**
 * The data of server-sent events, as they arrive, where the description does
 * not say that there are such; `rules` say how to ask for them.
 */
export function eachEvent<T>(
  call: Call<T>,
  rules: EventRules = {},
): AsyncIterable<T> {
  return iterateCall(call, requestEvents(rules), splitEvents(rules));
}

/** The JSON texts in a text that arrives in pieces. */
type SplitText = (pieces: AsyncIterable<string>) => AsyncIterable<string>;

type ChangeInvocation = (invocation: Invocation) => Invocation;

function splitEvents({ end }: EventRules): SplitText {
  return (pieces) => eventData(pieces, end);
}

/** Makes the change of a call that asks for events. */
function requestEvents({
  when,
  parameters: more,
}: EventRules): ChangeInvocation {
  return (invocation) => {
    const parameters = { ...invocation.parameters, ...more };
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
      return iterate(open(change(invocation)), split);
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
  const answer = pending.start((invocation) => open(change(invocation)));
  answer.catch(() => {});
  return iterate(
    answer as Promise<CallResult<OpenStream>>,
    split,
  ) as AsyncIterable<T>;
}

/** An answer whose body is still to be read. */
interface OpenStream {
  readonly body: Response["body"];
  readonly facts: ErrorFacts;
  readonly signal: AbortSignal;
  /** Reads errors that come as events. */
  readonly errors: ReadError;
  /** Ends the request. */
  close(): void;
}

async function open(call: Invocation): Promise<CallResult<OpenStream>> {
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
  const read = async ({ body }: Response, { facts }: ApiRequest) => {
    facts.kind = "network";
    const { errors = readEnvelope } = call.descriptor;
    return { body, facts, signal, errors, close };
  };
  const options = { ...call.options, signal };
  return execute({ ...call, options }, read, true).catch((error) => {
    close();
    throw error;
  });
}

async function* iterate(
  answer: Promise<CallResult<OpenStream>>,
  split: SplitText,
): AsyncGenerator<unknown> {
  const { body, facts, signal, errors, close } = (await answer).data;
  try {
    for await (const text of split(texts(body)))
      yield parse(text, facts, errors);
  } catch (thrown) {
    throw toApiError(thrown, signal, facts);
  } finally {
    close();
  }
}

/** @throws ApiError for an error in place of a value. */
function parse(text: string, facts: ErrorFacts, read: ReadError): unknown {
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
  if (value && typeof value === "object" && "error" in value && value.error) {
    const envelope = read(text, facts.status ?? 0);
    const { serverMessage = "the stream ended with an error" } = envelope;
    throw new ApiError(serverMessage, {
      ...facts,
      kind: "http",
      ...envelope,
    });
  }
  return value;
}
