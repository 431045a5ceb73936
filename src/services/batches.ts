import { batch } from "../../generated/runtime/server/batch.js";
import {
  ApiError,
  type Incoming,
  type Outgoing,
} from "../../generated/runtime/server/index.js";
import { errorResponse } from "./error-response.js";

/**
 * Path of batch requests. It is equal to `batchPath` in the API descriptions of
 * all services.
 */
export const BATCH_PATH = "/batch";

const MB = 1024 * 1024;

/**
 * Limits of batches. They are the same for all callers, because only the calls
 * in a batch are authenticated, not the batch itself. All batches must use this
 * object: the runtime adds up the bytes of all batches with the same object,
 * and limits the sum to `limits.batches`.
 */
const BATCH_OPTIONS = {
  limits: {
    batch: 100,
    batchBody: 4 * MB,
    batchResponses: 16 * MB,
    batches: 64 * MB,
    bodyTime: 60_000,
  },
};

/**
 * Handles a batch request whose calls can belong to different services. A
 * rejected promise indicates a bug.
 */
export async function handleBatch(
  request: Incoming,
  handle: (call: Incoming) => Outgoing | Promise<Outgoing>,
): Promise<Outgoing> {
  if (request.method !== "POST")
    return errorResponse(405, "A batch request must use POST.", {
      allow: "POST",
    });
  try {
    const call = (part: Incoming) => handle(new BatchedCall(part));
    return await batch(request, BATCH_OPTIONS, call, batchError);
  } catch (error) {
    if (error instanceof ApiError) return batchError(error);
    throw error;
  }
}

function batchError({ status, message, extras }: ApiError): Outgoing {
  return errorResponse(status, message, extras.headers);
}

/**
 * Single call in a batch. Each call has a different `raw` object (the request
 * object of the platform), because log fields are keyed by this object and each
 * call has its own log line.
 */
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
