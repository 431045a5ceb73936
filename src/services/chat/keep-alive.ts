import type { Outgoing } from "../../../generated/runtime/server/index.js";

type Stream = AsyncIterable<Uint8Array | string>;

/** Comment for a stream of server-sent events. Clients ignore it. */
const COMMENT = ": keep-alive\n\n";

/**
 * Adds comments to a stream of server-sent events while no events are sent,
 * because proxies and clients close idle connections. Comments are inserted
 * only between events.
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
