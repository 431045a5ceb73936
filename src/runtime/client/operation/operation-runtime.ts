import { ApiError } from "../error.js";
import { execute } from "../execute.js";
import { sleep } from "../retry.js";
import type { OperationRuntime } from "./wait-for-result.js";

/** The functions of the runtime that the code of `wait()` receives. */
export const operationRuntime: OperationRuntime = [ApiError, execute, sleep];
