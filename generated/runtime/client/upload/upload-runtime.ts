/* eslint-disable */
// biome-ignore-all lint: generated

import { buildRequest } from "../build-request.js";
import { discardBody } from "../discard-body.js";
import { ApiError, toApiError } from "../error.js";
import { execute } from "../execute.js";
import { pickHeaders } from "../follow-redirects.js";
import { mergeHeaders } from "../headers.js";
import { readValue } from "../read-value.js";
import { refreshAuth } from "../refresh-auth.js";
import {
  CLEARED,
  isTransient,
  retryDelay,
  retryOptions,
  sleep,
} from "../retry.js";
import { withTimeout } from "../with-timeout.js";
import type { UploadRuntime } from "./runtime.js";

/**
 * Functions of the runtime that are passed to the upload code, which does not
 * import them.
 */
export const uploadRuntime: UploadRuntime = [
  ApiError,
  toApiError,
  buildRequest,
  execute,
  pickHeaders,
  mergeHeaders,
  readValue,
  refreshAuth,
  discardBody,
  withTimeout,
  CLEARED,
  isTransient,
  retryDelay,
  retryOptions,
  sleep,
];
