/* eslint-disable */
// biome-ignore-all lint: generated

import { ApiError } from "../error.js";
import { execute } from "../execute.js";
import { sleep } from "../retry.js";
import type { OperationRuntime } from "./wait-for-result.js";

/**
 * Functions of the runtime that are passed to the code of `wait()`, which does
 * not import them.
 */
export const operationRuntime: OperationRuntime = [ApiError, execute, sleep];
