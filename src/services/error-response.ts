import type { Outgoing } from "../../generated/runtime/server/index.js";

/** Returns an error response that the host creates instead of a service. */
export function errorResponse(
  code: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): Outgoing {
  return {
    status: code,
    headers: { ...headers, "content-type": "application/json; charset=utf-8" },
    body: `${JSON.stringify({ error: { code, message } })}\n`,
  };
}
