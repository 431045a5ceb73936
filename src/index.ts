export {
  generate,
  check,
  load,
  validate,
  type GenerateOptions,
  type GenerateResult,
  type LoadResult,
  type ValidateOptions,
} from "./generate/api.js";
export type * from "./generate/types.js";
export {
  runConfig,
  type RunConfigOptions,
  type RunConfigResult,
} from "./config/api.js";
export {
  defineConfig,
  type ApiConfig,
  type ApiConfigs,
  type ApiOptions,
  type GenConfig,
  type JobConfig,
  type OutputOptions,
  type TargetName,
} from "./config/gen-config.js";
export {
  mock,
  MockError,
  type Fault,
  type Latency,
  type Mock,
  type MockData,
  type MockHandlers,
  type MockOptions,
  type RecordedRequest,
  type UntypedService,
} from "./mock/api.js";
export { content, type Content } from "./runtime/server/content.js";
export { reply, type Reply } from "./runtime/server/call.js";
export { ApiError } from "./runtime/server/error.js";
export {
  diff,
  type Bump,
  type Change,
  type DiffOptions,
  type DiffOutcome,
  type DiffResult,
  type Severity as ChangeSeverity,
  type Stability,
} from "./diff/api.js";
