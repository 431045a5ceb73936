/* eslint-disable */
// biome-ignore-all lint: generated

import { JSON_TYPE } from "./write-response.js";
import type {
  ApiDefinition,
  ErrorEntries,
  MethodDefinition,
} from "../contract.js";
import { describedEnvelope, standardEnvelope } from "./envelope.js";
import { ApiError, standardError } from "../error.js";
import { addHeaders } from "../headers.js";
import type { ServerOptions } from "../options.js";
import type { Outgoing } from "../request.js";

/**
 * Writes an error as the API's error response. Thrown values other than an
 * ApiError result in a 500 without details.
 */
export function writeFailure(
  thrown: unknown,
  api: ApiDefinition,
  method: MethodDefinition | undefined,
  options: ServerOptions,
): Outgoing {
  const error = isApiError(thrown)
    ? thrown
    : standardError(500, "Internal error.");
  const headers = { "content-type": JSON_TYPE };
  const { status, extras } = error;
  try {
    if (extras.headers !== undefined) addHeaders(headers, extras.headers);
    const body =
      options.envelope?.(error) ?? envelopeOf(error, api, method?.errors);
    return { status, headers, body: JSON.stringify(body) };
  } catch {
    // The hook `envelope` threw an error, or a header can't be sent. Therefore,
    // the API's own error body is used, without additional headers.
    const body = JSON.stringify(envelopeOf(error, api, method?.errors));
    return { status, headers, body };
  }
}

function envelopeOf(
  error: ApiError,
  api: ApiDefinition,
  methodErrors: ErrorEntries | undefined,
): unknown {
  return (
    describedEnvelope(error, [methodErrors, api.errors], api.documentation) ??
    standardEnvelope(error)
  );
}

/**
 * Tests whether a value is an ApiError, even if another copy of this runtime
 * created it.
 */
function isApiError(thrown: unknown): thrown is ApiError {
  const { name, status = 0, extras } = Object(thrown) as Partial<ApiError>;
  const isFailure = Number.isInteger(status) && status >= 400 && status < 600;
  if (thrown instanceof ApiError) return isFailure;
  return name === "ApiError" && isFailure && typeof extras === "object";
}
