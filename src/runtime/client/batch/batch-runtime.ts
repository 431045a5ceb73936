import { buildRequest } from "../build-request.js";
import { ApiError, toApiError } from "../error.js";
import { execute } from "../execute.js";
import { readValue } from "../read-value.js";
import { requireSuccess } from "../send.js";
import type { BatchRuntime } from "./open-batch.js";

/** The functions of the runtime that the code of batches receives. */
export const batchRuntime: BatchRuntime = [
  ApiError,
  toApiError,
  buildRequest,
  execute,
  readValue,
  requireSuccess,
];
