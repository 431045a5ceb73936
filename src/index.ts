export {
  generate,
  check,
  load,
  type GenerateOptions,
  type GenerateResult,
  type LoadResult,
} from "./generate/api.js";
export { mock, MockError, type Mock, type MockOptions } from "./mock/api.js";
export type { Diagnostic, Severity } from "./diagnostics/types.js";
export type * from "./model/ir.js";
export type { Action } from "./write/plan.js";
