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
export { mock, MockError, type Mock, type MockOptions } from "./mock/api.js";
