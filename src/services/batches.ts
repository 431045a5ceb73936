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

/** Answers a batch, whose calls may go to several services. Never rejects. */
export async function answerBatch(
  request: Incoming,
  handle: (call: Incoming) => Outgoing | Promise<Outgoing>,
): Promise<Outgoing> {
  if (request.method !== "POST")
    return failure(405, "A batch has to be a POST.", { allow: "POST" });
  try {
    const call = async (part: Incoming): Promise<Outgoing> => handle(part);
    return await batch(request, { limits: LIMITS }, call, failed);
  } catch (error) {
    if (error instanceof ApiError) return failed(error);
    throw error;
  }
}

function failed({ status, message }: ApiError): Outgoing {
  return failure(status, message);
}
