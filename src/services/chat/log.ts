import type { LogEntry } from "../../../generated/runtime/server/index.js";
import { noteRequest } from "../log.js";
import type { ServiceContext } from "../service.js";
import type { ChatRequest } from "./request.js";

/** Adds to the host's line about a request: no key, no text of a caller. */
export function logRequest({ request, method, error }: LogEntry): void {
  const { key, model } = (request as ChatRequest).facts;
  noteRequest(request, {
    method: method?.id,
    key,
    model,
    ...failureFacts(error),
  });
}

/** Writes a line for the end of a stream; without `failure` it was whole, or its caller left. */
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
    key: request.facts.key,
    model: request.facts.model,
    chunks,
    isWhole,
    ...failureFacts(failure),
  });
}

/**
 * What is told of a failure: what the service meant to say, or, for what nobody
 * thought of, its class and place. A message of the platform may hold anything.
 */
function failureFacts(error: unknown): object {
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
