import { ApiError } from "./error.js";
import { decodeUtf8, gather, tooLarge } from "./read.js";
import type { AnswerBody, Incoming, Outgoing } from "./request.js";

/** Answers a request of the Fetch standard. */
export async function handleFetch(
  request: Request,
  handle: (incoming: Incoming) => Outgoing | Promise<Outgoing>,
): Promise<Response> {
  const { status, headers, body } = await handle(new FetchIncoming(request));
  const isBare = request.method === "HEAD" || status === 204 || status === 304;
  if (isBare) await leave(body);
  return new Response(isBare ? null : toBody(body), { status, headers });
}

/** Tells a stream that nobody will read it. */
async function leave(body: AnswerBody | undefined): Promise<void> {
  if (
    body === undefined ||
    typeof body === "string" ||
    body instanceof Uint8Array
  )
    return;
  await body[Symbol.asyncIterator]().return?.();
}

function toBody(body: AnswerBody | undefined): Body {
  if (body === undefined) return null;
  if (typeof body === "string" || body instanceof Uint8Array)
    return body as Body;
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

/** What a Response can be made of; the platforms' types name it differently. */
type Body = ConstructorParameters<typeof Response>[0];

/** A request of the Fetch standard as the runtime sees requests. */
class FetchIncoming implements Incoming {
  readonly raw: Request;
  readonly #start: number;

  constructor(raw: Request) {
    this.raw = raw;
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
    return this.raw.signal;
  }

  header(name: string): string | undefined {
    return this.raw.headers.get(name) ?? undefined;
  }

  async text(limit: number): Promise<string> {
    if (Number(this.header("content-length") ?? 0) > limit)
      throw tooLarge(limit);
    return decodeUtf8(await gather(this.chunks(), limit));
  }

  async *chunks(): AsyncIterable<Uint8Array> {
    const reader = this.raw.body?.getReader();
    if (reader === undefined) return;
    try {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return;
        yield value as Uint8Array;
      }
    } catch (cause) {
      throw new ApiError(400, "The body broke off.", { cause });
    } finally {
      await reader.cancel().catch(() => {});
    }
  }
}
