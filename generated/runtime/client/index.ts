/* eslint-disable */
// biome-ignore-all lint: generated

/**
 * Runtime of generated clients. It depends only on `fetch`.
 *
 *     method.ts     creates a method from its descriptor (data)
 *     bind.ts       binds methods to a client: `drive.files.get(...)`
 *     call.ts       creates the call object, a promise with modifiers
 *       token-pagination.ts, link-pagination.ts
 *                   features: pages() and iteration over items
 *       media.ts    feature: media()
 *     selected-call.ts, fields.ts  types of calls and values with `fields`
 *     execute.ts    executes a call
 *       build-request.ts  encodes the call: url.ts (template.ts), headers.ts,
 *                   json-body.ts
 *       client.ts   sends the request: interceptors, auth.ts, fetch (send.ts)
 *       retry.ts    retries failed attempts; with-timeout.ts limits the time
 *       read-value.ts  parses the response
 *     error.ts      the error class; envelope.ts reads error responses
 *     options.ts    settings of clients and calls (types)
 *     contract.ts   types shared by these modules
 *     codecs.ts     converts int64, bytes, timestamps ... on request
 *     types.ts      type helpers of generated schemas
 *
 * The following features have their own modules and are not exported here, so
 * that programs without them do not load their types:
 *
 *     upload.ts     feature `upload(rules)`; `cancelUpload`
 *     operation.ts  feature `operation(rules)`: wait()
 *     stream.ts     features `events(rules)` and `jsonArray()`
 *     redirect-download.ts  feature: download of redirected content
 *     open-media.ts `openMedia(call)`: ranges, progress, broken connections
 *     batch.ts      `batch(client, calls)`, `batchSettled`
 *     not-modified.ts `orNotModified(call)`: 304 as `undefined`
 *     http-body.ts  bodies and responses of any type (`google.api.HttpBody`)
 *     scopes.ts     `smallestScopes(sets, methods)`
 *     node.ts       `nodeTransport()`; memory.ts `memoryTransport(server)`
 *
 * Descriptors refer to the parts that only some methods need: the features in
 * `use`, `jsonBody` and `expandTemplate`. Services refer to `keepReserved` and
 * `dataWrapper`. A bundle thus contains only the parts that its methods need.
 */
export type { Auth, HeadersProvider, Token } from "./auth.js";
export { bind, callable, type Bound, type BoundMethod } from "./bind.js";
export {
  createBareClient,
  createClient,
  type BareOptions,
  type CallOptions,
  type Client,
  type ClientOptions,
  type Fetch,
} from "./client.js";
export * from "./codecs.js";
export type {
  Call,
  CallResult,
  Descriptor,
  Feature,
  Invocation,
  Payload,
  PendingCall,
  Retry,
  Run,
} from "./contract.js";
export { dataWrapper } from "./data-wrapper.js";
export {
  ApiError,
  isApiError,
  type ErrorDetail,
  type ErrorFacts,
  type ErrorItem,
  type ErrorKind,
} from "./error.js";
export { keepReserved } from "./escape.js";
export type { CheckFields, Select } from "./fields.js";
export type { HeadersLike } from "./headers.js";
export { jsonBody } from "./json-body.js";
export { download, type Media, type MediaCall } from "./media.js";
export { method, type Method, type OptionalMethod } from "./method.js";
export type { Interceptor, RetryEvent, RetryOptions } from "./options.js";
export type { ApiRequest } from "./request.js";
export type { SelectedCall } from "./selected-call.js";
export type { Expand, Lookup, Service, Wrap } from "./service.js";
export { expandTemplate } from "./template.js";
export {
  tokenPagination,
  type PagedCall,
  type PagesCall,
  type TokenPaginationRules,
} from "./token-pagination.js";
export type {
  Double,
  Input,
  OrMedia,
  Patch,
  WithRequired,
  Writable,
} from "./types.js";
