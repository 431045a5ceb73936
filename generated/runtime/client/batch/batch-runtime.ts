/* eslint-disable */
// biome-ignore-all lint: generated

import { buildRequest } from "../build-request.js";
import { ApiError, toApiError } from "../error.js";
import { execute } from "../execute.js";
import { readValue } from "../read-value.js";
import { isIdempotent } from "../retry.js";
import { requireSuccess } from "../send.js";
import type { BatchRuntime } from "./open-batch.js";

/** The functions of the runtime that the code of batches receives. */
export const batchRuntime: BatchRuntime = [
  ApiError,
  toApiError,
  buildRequest,
  execute,
  isIdempotent,
  readValue,
  requireSuccess,
];
