import type { Outgoing } from "../../../generated/runtime/server/index.js";

type Stream = AsyncIterable<Uint8Array | string>;

/** A comment of server-sent events, which clients pass over. */
const COMMENT = ": keep-alive\n\n";

/**
 * A stream of events with a comment whenever nothing has come for some time: proxies and
 * clients close connections that are silent. Comments stand between whole events.
 *
 * @param time milliseconds
 */
export function withComments(
  body: Stream,
  time: number,
): NonNullable<Outgoing["body"]> {
  const source = body[Symbol.asyncIterator]();
  type Next = IteratorResult<Uint8Array | string>;
  let pending: Promise<Next> | undefined;
  return {
    [Symbol.asyncIterator]: () => ({
      async next(): Promise<Next> {
        const next = (pending ??= source.next());
        let timer: NodeJS.Timeout | undefined;
        const silence = new Promise<undefined>((resolve) => {
          timer = setTimeout(resolve, time, undefined);
        });
        try {
          const found = await Promise.race([next, silence]);
          if (found === undefined) return { done: false, value: COMMENT };
          pending = undefined;
          return found;
        } finally {
          clearTimeout(timer);
        }
      },
      async return(): Promise<Next> {
        await source.return?.();
        return { done: true, value: undefined };
      },
    }),
  };
}
