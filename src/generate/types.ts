// Types of lower layers that the public API returns.

export type { Diagnostic, Severity } from "../diagnostics/types.js";
export type * from "../model/ir.js";
export type { Action } from "../write/plan.js";
