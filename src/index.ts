export {
  generate,
  check,
  load,
  type GenerateOptions,
  type GenerateResult,
} from "./api.js";
export type { Diagnostic, Severity } from "./diagnostics/types.js";
export type * from "./model/ir.js";
