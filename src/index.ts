export {
  generate,
  check,
  load,
  type GenerateOptions,
  type GenerateResult,
  type LoadResult,
} from "./generate/api.js";
export type * from "./generate/types.js";
export { mock, MockError, type Mock, type MockOptions } from "./mock/api.js";
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
