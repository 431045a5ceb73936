/**
 * Exports only the names that every generated file needs, so that type checking
 * a program loads only the modules that its calls need. Generated code imports
 * other names from their own modules; users import all names from index.ts.
 */
export {
  createBareClient,
  createClient,
  type BareOptions,
  type CallOptions,
  type Client,
  type ClientOptions,
} from "./client.js";
export type { Call } from "./contract.js";
export { ApiError, isApiError } from "./error.js";
export { method, type Method, type OptionalMethod } from "./method.js";
export type { Service } from "./contract.js";
