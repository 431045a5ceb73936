import { isObject } from "../../diagnostics/json.js";
import { readBody } from "./read-body.js";
import type { PendingResponse } from "./send-request.js";

/** Maximum size in bytes of an error response body that is read. */
const MAX_ERROR_BYTES = 64 * 1024;

/**
 * Returns a message with the status of a response and, if the body is an API
 * error, the error's message.
 */
export async function responseError(
  response: PendingResponse,
): Promise<string> {
  const { message } = response;
  const { statusCode = 0, statusMessage = "" } = message;
  const status = `the server responded with ${statusCode} ${statusMessage}`;
  const detail = await detailOf(response);
  message.destroy();
  return detail === undefined
    ? status.trimEnd()
    : `${status.trimEnd()}: ${detail}`;
}

async function detailOf(
  response: PendingResponse,
): Promise<string | undefined> {
  try {
    const body = await readBody(response, MAX_ERROR_BYTES);
    return messageOf(JSON.parse(body.toString("utf8")));
  } catch {
    return undefined;
  }
}

/** Returns the message of an API error, truncated to 200 characters. */
function messageOf(body: unknown): string | undefined {
  const error = isObject(body) ? body["error"] : undefined;
  const text = isObject(error) ? error["message"] : error;
  return typeof text === "string" ? text.slice(0, 200) : undefined;
}
