import type { Outgoing } from "../../generated/runtime/server/index.js";

/** What the host answers where no service does. */
export function failure(
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
