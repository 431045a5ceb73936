import { batch } from "../../generated/runtime/server/batch.js";
import {
  ApiError,
  type Incoming,
  type Outgoing,
} from "../../generated/runtime/server/index.js";
import { failure } from "./failure.js";

/** Path that all the services' descriptions name. */
export const BATCH_PATH = "/batch";

/**
 * Calls of one batch, its bytes, and milliseconds until all of it has come. Services know
 * their callers by the calls, not by the batch: these bounds hold for everybody.
 */
const CALLS = 100;
const BYTES = 4 * 1024 * 1024;
const TIME = 60_000;

/** Bytes of answers after which further calls of a batch are refused. */
const ANSWERS = 16 * 1024 * 1024;

/** Bytes of all batches in memory, their answers included. */
const TOGETHER = 64 * 1024 * 1024;

/** Answers batches, whose calls may go to several services. */
export class Batches {
  #held = 0;

  /** Never rejects. */
  async answer(
    request: Incoming,
    handle: (call: Incoming) => Outgoing | Promise<Outgoing>,
  ): Promise<Outgoing> {
    if (request.method !== "POST")
      return failure(405, "A batch has to be a POST.", { allow: "POST" });
    let held = 0;
    const hold = (bytes: number): void => {
      held += bytes;
      this.#held += bytes;
    };
    let left = ANSWERS;
    const call = async (part: Incoming): Promise<Outgoing> => {
      if (left <= 0)
        return failure(413, "The answers of the batch are too large.");
      if (this.#held > TOGETHER) return overloaded();
      const answer = await handle(new BatchedCall(part));
      if (isStream(answer.body)) return refuseStream(answer.body);
      const size = sizeOf(answer);
      left -= size;
      hold(size);
      return left < 0
        ? failure(413, "The answers of the batch are too large.")
        : answer;
    };
    try {
      this.#bound(request, hold);
      const limits = { batch: CALLS };
      return await batch(request, { limits }, call, failed);
    } catch (error) {
      if (error instanceof ApiError) return failed(error);
      throw error;
    } finally {
      this.#held -= held;
    }
  }

  /** Counts the bytes of a batch as they come. */
  #bound(request: Incoming, hold: (bytes: number) => void): void {
    const read = request.chunks.bind(request);
    const ends = performance.now() + TIME;
    const isFull = (): boolean => this.#held > TOGETHER;
    async function* chunks(): AsyncIterable<Uint8Array> {
      let left = BYTES;
      for await (const chunk of read()) {
        left -= chunk.length;
        hold(chunk.length);
        if (left < 0)
          throw new ApiError(413, `A batch has at most ${BYTES} bytes.`, CLOSE);
        if (isFull()) throw new ApiError(503, BUSY, CLOSE);
        if (performance.now() > ends)
          throw new ApiError(408, "The batch took too long to come.", CLOSE);
        yield chunk;
      }
    }
    request.chunks = chunks;
  }
}

const CLOSE = { headers: { connection: "close", "retry-after": "5" } };

const BUSY = "Too many batches at once. Try again later.";

function overloaded(): Outgoing {
  return failure(503, BUSY, { "retry-after": "5" });
}

function isStream(body: Outgoing["body"]): body is AsyncIterable<never> {
  return typeof body === "object" && !(body instanceof Uint8Array);
}

/** An archive or an answer in chunks would be read into memory as a whole. */
async function refuseStream(body: AsyncIterable<never>): Promise<Outgoing> {
  await body[Symbol.asyncIterator]().return?.();
  return failure(400, "A call with a stream can't be part of a batch.");
}

function failed({ status, message, extras }: ApiError): Outgoing {
  return failure(status, message, extras.headers);
}

/** A call of a batch. The log has a line for each: what tells them apart is `raw`. */
class BatchedCall implements Incoming {
  readonly raw: unknown;
  readonly #part: Incoming;

  constructor(part: Incoming) {
    this.#part = part;
    this.raw = Object.create(Object(part.raw) as object);
  }

  get method(): string {
    return this.#part.method;
  }

  get target(): string {
    return this.#part.target;
  }

  get origin(): string {
    return this.#part.origin;
  }

  get remoteAddress(): string | undefined {
    return this.#part.remoteAddress;
  }

  get signal(): AbortSignal {
    return this.#part.signal;
  }

  header(name: string): string | undefined {
    return this.#part.header(name);
  }

  text(limit: number, time: number): Promise<string> {
    return this.#part.text(limit, time);
  }

  chunks(): AsyncIterable<Uint8Array> {
    return this.#part.chunks();
  }
}

function sizeOf({ body }: Outgoing): number {
  return typeof body === "string" || body instanceof Uint8Array
    ? body.length
    : 0;
}
