import { batch } from "../../generated/runtime/server/batch.js";
import {
  ApiError,
  type Incoming,
  type Outgoing,
} from "../../generated/runtime/server/index.js";
import { failure } from "./error-response.js";

/** Path that all the services' descriptions name. */
export const BATCH_PATH = "/batch";

const MB = 1024 * 1024;

/**
 * Bounds of batches. Services know their callers by the calls, not by the
 * batch, so these hold for everybody. One object for all batches of the
 * process: it is what counts `batches`, the bytes of all of them at once.
 */
const OPTIONS = {
  limits: {
    batch: 100,
    batchBody: 4 * MB,
    batchResponses: 16 * MB,
    batches: 64 * MB,
    bodyTime: 60_000,
  },
};

/** Answers a batch, whose calls may go to several services; never rejects. */
export async function answerBatch(
  request: Incoming,
  handle: (call: Incoming) => Outgoing | Promise<Outgoing>,
): Promise<Outgoing> {
  if (request.method !== "POST")
    return failure(405, "A batch must be a POST.", { allow: "POST" });
  try {
    const call = (part: Incoming) => handle(new BatchedCall(part));
    return await batch(request, OPTIONS, call, failed);
  } catch (error) {
    if (error instanceof ApiError) return failed(error);
    throw error;
  }
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

  get isPart(): boolean {
    return this.#part.isPart === true;
  }

  get isDecoded(): boolean {
    return this.#part.isDecoded === true;
  }

  get mount(): string | undefined {
    return this.#part.mount;
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
