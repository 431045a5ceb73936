/**
 * The runtime of generated clients: `fetch` and nothing else.
 *
 *     method.ts     a method, from its descriptor (data)
 *     bind.ts       methods bound to a client: `drive.files.get(...)`
 *     call.ts       the call object, a promise with modifiers
 *       paging.ts   feature: pages() and iteration over items
 *       media.ts    feature: media()
 *     narrow.ts     types: a call for the selected fields; fields.ts: a value
 *     execute.ts    a call from its parameters to its value, in time
 *       request.ts  encodes it: url.ts (template.ts), headers.ts, json-body.ts
 *       client.ts   sends it: interceptors, auth.ts, fetch; anything but 2xx is
 *                   an error
 *       response.ts reads the value
 *     error.ts      the one error; envelope.ts reads what a server says
 *     options.ts    settings of clients and calls (types)
 *     codecs.ts     int64, bytes, timestamps ... by hand where wanted
 *     types.ts      helpers of generated schemas
 *
 * Not exported here, so that who does not need them need not read them; each
 * is imported from its own module:
 *
 *     retry.ts      `retry`, for services: errors that go away, fresh tokens
 *     locate.ts     `locate`, for services: location, mtls, universeDomain
 *     upload.ts     feature `upload(rules)`; `cancelUpload`
 *     operation.ts  feature `operation(rules)`: wait()
 *     stream.ts     features `events(rules)` and `jsonArray()`
 *     open-media.ts `openMedia(call)`: ranges, progress, broken connections
 *     batch.ts      `batch(client, calls)`, `batchSettled`
 *     not-modified.ts `orNotModified(call)`: 304 is no failure
 *     http-body.ts  bodies and answers of any type (`google.api.HttpBody`)
 *     scopes.ts     `scopesFor(...methods)`
 *     node.ts       `nodeTransport()`; memory.ts `memoryTransport(server)`
 *
 * What not every method needs is named in the descriptors that need it: the
 * features in `use`, `jsonBody`, `expandTemplate`; in services, `keepReserved`,
 * `dataWrapper`, `retry` and `locate`. So a bundle holds what its methods need, and no more.
 */
export type { Auth, HeadersProvider, Token } from "./auth.js";
export { bind, callable, type Bound, type BoundMethod } from "./bind.js";
export type { Call, Feature, Invocation, PendingCall, Run } from "./call.js";
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
export type { Answer } from "./execute.js";
export type { CheckFields, Select } from "./fields.js";
export { jsonBody } from "./json-body.js";
export { download, type Media, type MediaCall } from "./media.js";
export { method, type Method, type OptionalMethod } from "./method.js";
export type { Narrow } from "./selected-call.js";
export {
  paged,
  type PagedCall,
  type PagesCall,
  type PagingRules,
} from "./token-pagination.js";
export type { HeadersLike } from "./headers.js";
export type { ApiRequest } from "./request.js";
export type {
  Descriptor,
  Expand,
  Lookup,
  Payload,
  Retry,
  Service,
  Wrap,
} from "./service.js";
export type { Interceptor, RetryEvent } from "./options.js";
export type { RetryOptions } from "./retry.js";
export { expandTemplate } from "./template.js";
export type {
  Double,
  Input,
  OrMedia,
  Patch,
  WithRequired,
  Writable,
} from "./types.js";
