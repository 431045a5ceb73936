import type { Method, StreamRules } from "./api.js";
import { Reply } from "./call.js";
import { addHeaders, requireHeaders, type HeaderValues } from "./headers.js";
import type { Outgoing } from "./request.js";

/** Whether a body asks for events. */
export function asksForEvents({ when }: StreamRules, body: unknown): boolean {
  const members = Object(body) as Record<string, unknown>;
  return Object.entries(when).every(
    ([name, value]) => JSON.stringify(members[name]) === JSON.stringify(value),
  );
}

/**
 * Answers with server-sent events. The first one is awaited, so that a failure
 * before it is an ordinary one; a later failure is an event, and the last.
 *
 * @param describe gives the body of a failure.
 */
export async function writeEvents(
  result: unknown,
  method: Method,
  { end }: StreamRules,
  describe: (thrown: unknown) => unknown,
): Promise<Outgoing> {
  const { value, headers: own = {} } =
    result instanceof Reply ? result : { value: result };
  if (!isSequence(value))
    throw new TypeError(`${method.id} gave no sequence of events`);
  const headers: Record<string, string> = {
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-cache",
  };
  addHeaders(headers, own as HeaderValues);
  requireHeaders(headers, method);
  const source = value[Symbol.asyncIterator]();
  const first = await source.next();
  return { status: 200, headers, body: events(first, source, end, describe) };
}

/** Whether a handler gave events. */
export function isSequence(value: unknown): value is AsyncIterable<unknown> {
  return Object(value)[Symbol.asyncIterator] !== undefined;
}

async function* events(
  first: IteratorResult<unknown>,
  source: AsyncIterator<unknown>,
  end: string | undefined,
  describe: (thrown: unknown) => unknown,
): AsyncGenerator<string> {
  let isOver = false;
  try {
    for (let next = first; next.done !== true; next = await source.next())
      yield event(JSON.stringify(next.value));
    isOver = true;
    if (end !== undefined) yield event(end);
  } catch (error) {
    isOver = true;
    yield event(String(describe(error)));
  } finally {
    // Who leaves early stops the handler.
    if (!isOver) await source.return?.();
  }
}

function event(data: string): string {
  return `data: ${data.replaceAll("\n", "\ndata: ")}\n\n`;
}
