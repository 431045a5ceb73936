/* eslint-disable */
// biome-ignore-all lint: generated

/**
 * What every generated file needs, and no more: a program with one call type
 * checks what that call imports. The rest is imported from its own module, or
 * by people from index.ts, which has everything.
 */
export type { Call } from "./call.js";
export {
  createBareClient,
  createClient,
  type BareOptions,
  type CallOptions,
  type Client,
  type ClientOptions,
} from "./client.js";
export { ApiError, isApiError } from "./error.js";
export { method, type Method, type OptionalMethod } from "./method.js";
export type { Service } from "./service.js";
