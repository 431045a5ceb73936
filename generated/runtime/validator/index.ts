/* eslint-disable */
// biome-ignore-all lint: generated

/**
 * Public API of the validator runtime. Generated files import the modules
 * directly instead.
 */
export { isValid } from "./validate.js";
export type {
  Int64Rule,
  PatchResult,
  ValidationCode,
  ValidationError,
  ValidationOptions,
  ValidationResult,
  Validator,
} from "./contract.js";
export type {
  JsonSchema,
  JsonSchemaOptions,
  StandardJsonPatch,
  StandardJsonSchema,
} from "./json-schema.js";
export type {
  StandardIssue,
  StandardPatch,
  StandardResult,
  StandardSchema,
} from "./standard.js";
export { acceptInt64Numbers, convertInt64Numbers } from "./int64.js";
