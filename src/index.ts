export {
  generate,
  check,
  load,
  type GenerateOptions,
  type GenerateResult,
  type LoadResult,
} from "./api.js";
export type { Diagnostic, Severity } from "./diagnostics/types.js";
export type * from "./model/ir.js";
export type { Action } from "./write/plan.js";
