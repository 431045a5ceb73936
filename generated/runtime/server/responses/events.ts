/* eslint-disable */
// biome-ignore-all lint: generated

import type { MethodDefinition, StreamRules } from "../contract.js";
import { Reply } from "../call.js";
import { addHeaders, requireHeaders, type HeaderValues } from "../headers.js";
import type { Outgoing } from "../request.js";

/** Returns true if the request body requests a stream of events. */
export function requestsEvents({ when }: StreamRules, body: unknown): boolean {
  const members = Object(body) as Record<string, unknown>;
  return Object.entries(when).every(
    ([name, value]) => JSON.stringify(members[name]) === JSON.stringify(value),
  );
}

/**
 * Writes server-sent events. Waits for the first event before the response
 * starts, so that an earlier error results in a regular error response. A later
 * error is sent as the last event.
 *
 * @param describe returns the error body, as text, for a thrown value.
 */
export async function writeEvents(
  result: unknown,
  method: MethodDefinition,
  { end }: StreamRules,
  describe: (thrown: unknown) => unknown,
): Promise<Outgoing> {
  const { value, headers: replyHeaders = {} } =
    result instanceof Reply ? result : { value: result };
  if (!isAsyncIterable(value))
    throw new TypeError(
      `${method.id}: the handler must return an async iterable of events`,
    );
  const headers: Record<string, string> = {
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-cache",
  };
  addHeaders(headers, replyHeaders as HeaderValues);
  requireHeaders(headers, method);
  const source = value[Symbol.asyncIterator]();
  const first = await source.next();
  return { status: 200, headers, body: events(first, source, end, describe) };
}

/** Tests whether the result of a handler is a stream. */
export function isAsyncIterable(
  value: unknown,
): value is AsyncIterable<unknown> {
  return Object(value)[Symbol.asyncIterator] !== undefined;
}

/**
 * Returns the events of a source as an iterator. A generator is not used: if
 * the caller disconnected before the generator started, the generator would not
 * close the source.
 */
function events(
  first: IteratorResult<unknown>,
  source: AsyncIterator<unknown>,
  end: string | undefined,
  describe: (thrown: unknown) => unknown,
): AsyncIterableIterator<string> {
  let ready: IteratorResult<unknown> | undefined = first;
  let isOver = false;
  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    async next() {
      if (isOver) return DONE;
      try {
        const next = ready ?? (await source.next());
        ready = undefined;
        if (next.done !== true) return event(JSON.stringify(next.value));
        isOver = true;
        return end === undefined ? DONE : event(end);
      } catch (error) {
        isOver = true;
        await Promise.resolve(source.return?.()).catch(() => {});
        return event(String(describe(error)));
      }
    },
    // The handler is stopped if the caller disconnects before the last event.
    async return() {
      if (!isOver) await source.return?.();
      isOver = true;
      return DONE;
    },
  };
}

const DONE: IteratorResult<string> = { done: true, value: undefined };

function event(data: string): IteratorResult<string> {
  const value = `data: ${data.replaceAll("\n", "\ndata: ")}\n\n`;
  return { done: false, value };
}
