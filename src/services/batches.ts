import { batch } from "../../generated/runtime/server/batch.js";
import {
  ApiError,
  type Incoming,
  type Outgoing,
} from "../../generated/runtime/server/index.js";
import { failure } from "./failure.js";

/** Path that all the services' descriptions name. */
export const BATCH_PATH = "/batch";

/** Each call may ask for all that a service has. */
const LIMITS = { batch: 100 };

/** Bytes of answers after which further calls of a batch are refused: all of them are in memory together. */
const ANSWERS = 64 * 1024 * 1024;

/** Answers a batch, whose calls may go to several services. Never rejects. */
export async function answerBatch(
  request: Incoming,
  handle: (call: Incoming) => Outgoing | Promise<Outgoing>,
): Promise<Outgoing> {
  if (request.method !== "POST")
    return failure(405, "A batch has to be a POST.", { allow: "POST" });
  let left = ANSWERS;
  const call = async (part: Incoming): Promise<Outgoing> => {
    if (left <= 0) return failure(413, "The batch asks for too much at once.");
    const answer = await handle(new BatchedCall(part));
    left -= sizeOf(answer);
    return answer;
  };
  try {
    return await batch(request, { limits: LIMITS }, call, failed);
  } catch (error) {
    if (error instanceof ApiError) return failed(error);
    throw error;
  }
}

function failed({ status, message }: ApiError): Outgoing {
  return failure(status, message);
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

/** Streams count as nothing: those that a batch gets are short. */
function sizeOf({ body }: Outgoing): number {
  return typeof body === "string" || body instanceof Uint8Array
    ? body.length
    : 0;
}
