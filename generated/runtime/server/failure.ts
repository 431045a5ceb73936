import { JSON_TYPE } from "./answer.js";
import type { Api, Method } from "./api.js";
import { describedEnvelope, usualEnvelope } from "./envelope.js";
import { ApiError, usual } from "./error.js";
import type { ServerOptions } from "./options.js";
import type { Outgoing } from "./request.js";

/** A failure as the API writes it; of what is no ApiError nothing is told. */
export function writeFailure(
  thrown: unknown,
  api: Api,
  method: Method | undefined,
  options: ServerOptions,
): Outgoing {
  const error = isApiError(thrown) ? thrown : usual(500, "Internal error.");
  const body =
    options.envelope?.(error) ??
    describedEnvelope(error, [method?.errors, api.errors], api.documentation) ??
    usualEnvelope(error);
  return {
    status: error.status,
    headers: { "content-type": JSON_TYPE, ...error.extras.headers },
    body: JSON.stringify(body),
  };
}

/** Also one that another copy of this runtime made. */
function isApiError(thrown: unknown): thrown is ApiError {
  if (thrown instanceof ApiError) return true;
  const { name, status, extras } = Object(thrown) as Partial<ApiError>;
  return (
    name === "ApiError" &&
    typeof status === "number" &&
    typeof extras === "object"
  );
}
