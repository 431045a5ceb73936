import type { LogEntry } from "../../../generated/runtime/server/index.js";
import { addLogFields } from "../log.js";
import type { ServiceContext } from "../service.js";
import type { ChatRequest } from "./request.js";

/**
 * Adds fields to the log line of a request. The fields contain neither API keys
 * nor text from callers.
 */
export function logRequest({ request, method, error }: LogEntry): void {
  const { key, keyId, model, usage } = (request as ChatRequest).state;
  addLogFields(request, {
    method: method?.id,
    key,
    keyId,
    model,
    ...usage,
    ...failureFields(error),
  });
}

/**
 * Logs the end of a stream. `failure` is undefined if the stream was completed
 * or the caller disconnected.
 */
export function logStream(
  context: ServiceContext,
  request: ChatRequest,
  chunks: number,
  isWhole: boolean,
  failure: unknown,
): void {
  context.log({
    service: "chat",
    event: "stream",
    requestId: request.id,
    key: request.state.key,
    keyId: request.state.keyId,
    model: request.state.model,
    chunks,
    isWhole,
    ...request.state.usage,
    ...failureFields(failure),
  });
}

/**
 * Returns the log fields of an error: the code of an ApiError, or the class and
 * source position of an unexpected error. The message of an unexpected error is
 * omitted, because it can contain secrets.
 */
function failureFields(error: unknown): object {
  if (error === undefined) return {};
  const { name, status, stack, cause, extras } = Object(error) as {
    name?: string;
    status?: number;
    stack?: string;
    cause?: unknown;
    extras?: { code?: string };
  };
  if (name === "ApiError")
    return {
      failure: extras?.code ?? `status ${status}`,
      ...(typeof cause === "string" ? { cause } : {}),
    };
  const frame = stack?.split("\n").find((line) => /^\s+at /.test(line));
  return { failure: name, place: frame?.trim() };
}
