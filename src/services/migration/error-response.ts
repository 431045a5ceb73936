import type { Outgoing } from "../../../generated/runtime/server/index.js";
import { api } from "../../../generated/migration/v1/routes.js";

/**
 * Returns an error response in the format of the API, for requests that the
 * generated server does not handle.
 */
export function errorResponse(
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
    body: JSON.stringify(errorBody(status, message)),
  };
}

export function errorBody(status: number, message: string): object {
  const documentation_url = api.documentation ?? "";
  return { message, documentation_url, status: String(status) };
}
