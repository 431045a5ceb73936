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
