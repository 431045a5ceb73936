/* eslint-disable */
// biome-ignore-all lint: generated

import { buildRequest } from "../build-request.js";
import { ApiError, toApiError } from "../error.js";
import { execute } from "../execute.js";
import { readValue } from "../read-value.js";
import { requireSuccess } from "../send.js";
import type { BatchRuntime } from "./open-batch.js";

/**
 * Functions of the runtime that are passed to the batch code, which does not
 * import them.
 */
export const batchRuntime: BatchRuntime = [
  ApiError,
  toApiError,
  buildRequest,
  execute,
  readValue,
  requireSuccess,
];
