import type { Outgoing } from "../../../generated/runtime/server/index.js";
import { api } from "../../../generated/migration/v1/routes.js";

/** A failure as the API writes it, for answers beside the generated server. */
export function failure(
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): Outgoing {
  return {
    status,
    headers: {
      "content-type": "application/json; charset=utf-8",
      ...headers,
    },
    body: JSON.stringify(failureBody(status, message)),
  };
}

/** Its body. */
export function failureBody(status: number, message: string): object {
  const documentation_url = api.documentation ?? "";
  return { message, documentation_url, status: String(status) };
}
