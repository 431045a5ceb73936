import type { Outgoing } from "../../../generated/runtime/server/index.js";

type Stream = AsyncIterable<Uint8Array | string>;

/** Comment in a stream of server-sent events. Clients ignore comments. */
const COMMENT = ": keep-alive\n\n";

/**
 * Adds a comment to a stream of server-sent events whenever no event has
 * arrived for some time, because proxies and clients close idle connections.
 * Inserts comments only between events.
 *
 * @param time milliseconds without an event after which a comment is added
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
          const result = await Promise.race([next, silence]);
          if (result === undefined) return { done: false, value: COMMENT };
          pending = undefined;
          return result;
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
