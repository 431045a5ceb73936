// Types of the public API that are defined in other folders.

export type { Diagnostic, Severity } from "../diagnostics/types.js";
export type * from "../model/ir.js";
export type { Action } from "../write/plan.js";
export type { RuleLevel, RuleLevels } from "../validate/rule.js";
export type { ValidationResult } from "./validate-sources.js";
