import type { Outgoing } from "../../../generated/runtime/server/index.js";

/** The request does not say where it went. */
export function badHost(): Outgoing {
  return failure(400, "badRequest", "The header Host is missing or malformed.");
}

/** The service refuses requests. */
export function closing(): Outgoing {
  return failure(503, "backendError", "The server is shutting down.");
}

/** Something broke; the caller need not know what. */
export function failed(): Outgoing {
  return failure(500, "internalError", "Internal error encountered.");
}

function failure(code: number, reason: string, message: string): Outgoing {
  const errors = [{ domain: "global", reason, message }];
  return {
    status: code,
    headers: { "content-type": "application/json; charset=utf-8" },
    body: `${JSON.stringify({ error: { code, message, errors } })}\n`,
  };
}
