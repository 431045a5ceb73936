/* eslint-disable */
// biome-ignore-all lint: generated

import { ApiError } from "./error.js";
import { decodeUtf8, readAll, tooLarge } from "./bodies/read.js";
import {
  isStream,
  type ResponseBody,
  type Incoming,
  type Outgoing,
} from "./request.js";
import { withTimeout } from "./bodies/timeouts.js";

/**
 * Handles a `Request` of the Fetch standard. Never rejects.
 *
 * @param content the request body, if it has already been read.
 */
export async function handleFetch(
  request: Request,
  handle: (incoming: Incoming) => Outgoing | Promise<Outgoing>,
  content?: ArrayBuffer,
): Promise<Response> {
  const incoming = new FetchIncoming(request, content);
  const { status, headers, body } = await handle(incoming);
  const isBare = request.method === "HEAD" || NO_BODY.has(status);
  try {
    if (isBare) await closeBody(body);
    return new Response(isBare ? null : toBody(body), { status, headers });
  } catch {
    await closeBody(body).catch(() => {});
    return new Response(null, { status: 500 });
  }
}

/**
 * Status codes for which the constructor of `Response` does not accept a body.
 */
const NO_BODY = new Set([204, 205, 304]);

/** Closes the stream of a response that will not be sent. */
async function closeBody(body: ResponseBody | undefined): Promise<void> {
  if (isStream(body)) await body[Symbol.asyncIterator]().return?.();
}

function toBody(body: ResponseBody | undefined): FetchBody {
  if (body === undefined) return null;
  if (typeof body === "string" || body instanceof Uint8Array)
    return body as FetchBody;
  return toStream(body);
}

function toStream(chunks: AsyncIterable<Uint8Array | string>): ReadableStream {
  const iterator = chunks[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await iterator.next();
      if (done === true) controller.close();
      else
        controller.enqueue(
          typeof value === "string" ? encoder.encode(value) : value,
        );
    },
    async cancel() {
      await iterator.return?.();
    },
  });
}

/**
 * Body types that `Response` accepts. They are inferred from the constructor of
 * `Response`, because platforms name them differently.
 */
type FetchBody = ConstructorParameters<typeof Response>[0];

/** Adapts a `Request` of the Fetch standard to the `Incoming` interface. */
class FetchIncoming implements Incoming {
  readonly raw: Request;
  readonly #start: number;
  readonly #content: ArrayBuffer | undefined;
  #abort: AbortController | undefined;

  constructor(raw: Request, content?: ArrayBuffer) {
    this.raw = raw;
    this.#content = content;
    const authority = raw.url.indexOf("//") + 2;
    const slash = raw.url.indexOf("/", authority);
    this.#start = slash === -1 ? raw.url.length : slash;
  }

  get method(): string {
    return this.raw.method;
  }

  get target(): string {
    const hash = this.raw.url.indexOf("#");
    const end = hash === -1 ? this.raw.url.length : hash;
    return this.raw.url.slice(this.#start, end) || "/";
  }

  get origin(): string {
    return this.raw.url.slice(0, this.#start);
  }

  get signal(): AbortSignal {
    if (this.#abort === undefined) {
      const abort = (this.#abort = new AbortController());
      const { signal } = this.raw;
      const follow = (): void => abort.abort(signal.reason);
      if (signal.aborted) follow();
      else signal.addEventListener("abort", follow, { once: true });
    }
    return this.#abort.signal;
  }

  abort(reason: unknown): void {
    void this.signal;
    this.#abort?.abort(reason);
  }

  header(name: string): string | undefined {
    return this.raw.headers.get(name) ?? undefined;
  }

  async text(limit: number, time: number): Promise<string> {
    if (Number(this.header("content-length") ?? 0) > limit)
      throw tooLarge(limit);
    const end = performance.now() + time;
    const pieces = withTimeout(this.chunks(), () => end - performance.now());
    return decodeUtf8(await readAll(pieces, limit));
  }

  chunks(): AsyncIterable<Uint8Array> {
    const body =
      this.#content === undefined
        ? this.raw.body
        : new Response(this.#content).body;
    return { [Symbol.asyncIterator]: () => chunksOf(body) };
  }
}

/**
 * Returns the chunks of a body as an iterator. A generator is not used, because
 * a generator can't be closed while it waits for a chunk.
 */
function chunksOf(body: Request["body"]): AsyncIterator<Uint8Array, undefined> {
  const reader = body?.getReader();
  return {
    async next() {
      if (reader === undefined) return DONE;
      try {
        const { done, value } = await reader.read();
        return done ? DONE : { done: false, value: value as Uint8Array };
      } catch (cause) {
        throw new ApiError(400, "The body could not be read completely.", {
          cause,
        });
      }
    },
    async return() {
      await reader?.cancel().catch(() => {});
      return DONE;
    },
  };
}

const DONE = { done: true, value: undefined } as const;
