import type { Outgoing } from "../../../generated/runtime/server/index.js";

/** Returns the response to a request without a valid `Host` header. */
export function badHost(): Outgoing {
  return errorResponse(
    400,
    "badRequest",
    "The Host header is missing or malformed.",
  );
}

/**
 * Returns the response to a request that is received while the service closes.
 */
export function closing(): Outgoing {
  return errorResponse(503, "backendError", "The server is shutting down.");
}

/**
 * Returns the response to a request that caused an unexpected error. The
 * response contains no details about the error.
 */
export function internalError(): Outgoing {
  return errorResponse(500, "internalError", "Internal error encountered.");
}

function errorResponse(
  code: number,
  reason: string,
  message: string,
): Outgoing {
  const errors = [{ domain: "global", reason, message }];
  return {
    status: code,
    headers: { "content-type": "application/json; charset=utf-8" },
    body: `${JSON.stringify({ error: { code, message, errors } })}\n`,
  };
}
