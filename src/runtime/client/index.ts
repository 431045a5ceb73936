/**
 * Runtime of generated clients. It depends only on `fetch`.
 *
 *     method.ts     creates the function for an API method from its descriptor,
 *                   and the object that represents a call: a promise with
 *                   members such as `media()`
 *     bind.ts       binds methods to a client: `drive.files.get(...)`
 *     with-options.ts  derives a client with other options
 *       token-pagination.ts, link-pagination.ts
 *                   `pages()` and iteration over items
 *       media.ts    `media()`
 *       request-id.ts  IDs of requests, by which servers recognise retries
 *     selected-call.ts, fields.ts
 *                   types of calls and results with the parameter `fields`
 *     execute.ts    executes a call and parses the response
 *       build-request.ts  encodes the call: path (template.ts), headers.ts,
 *                   json-body.ts
 *       client.ts   sends the request: interceptors, logger.ts, auth.ts, fetch
 *                   (send.ts)
 *       retry.ts    retries failed attempts; with-timeout.ts limits the time
 *     error.ts      error class; parses error responses
 *     options.ts    types of the settings of clients and calls
 *     contract.ts   types shared by these modules
 *     codecs.ts     conversions of int64, bytes, timestamps and other formats
 *     types.ts      types that generated schemas use
 *
 * The following modules are not exported here, so that programs that do not use
 * them do not load their types:
 *
 *     upload.ts     uploads; `cancelUpload`
 *     operation.ts  long-running operations: `wait()`
 *     stream.ts     server-sent events and streamed JSON arrays
 *     redirect-download.ts  download of the content that a redirect points to
 *     open-media.ts `openMedia(call)`: download with ranges and progress, which
 *                   continues after an interrupted connection
 *     batch.ts      `batch(client, calls)`, `batchSettled`
 *     not-modified.ts `orNotModified(call)`: `undefined` for status 304
 *     http-body.ts  bodies and responses of any type (`google.api.HttpBody`)
 *     scopes.ts     `smallestScopes(sets, methods)`
 *     node.ts       `nodeTransport()`; memory.ts `memoryTransport(server)`
 *
 * A descriptor refers to the functions that only some methods need: the
 * features in `use`, `jsonBody` and `expandTemplate`. The settings of an API
 * refer to `keepReserved` and `dataWrapper` only if the API needs them. A bundle
 * therefore contains only the code that its methods need.
 */
export type {
  Auth,
  Credentials,
  CredentialsRequest,
  HeadersProvider,
  Token,
} from "./auth.js";
export { bind, type Bound, type BoundMethod, type MethodTree } from "./bind.js";
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
  type ErrorContext,
  type ErrorItem,
  type ErrorKind,
} from "./error.js";
export { keepReserved } from "./values.js";
export type { CheckFields, Select } from "./fields.js";
export type { HeadersLike } from "./headers.js";
export { jsonBody } from "./json-body.js";
export { download, type Media, type MediaCall } from "./media.js";
export { method, type Method, type OptionalMethod } from "./method.js";
export type {
  CallObserver,
  Interceptor,
  LogEntry,
  Logger,
  RetryEvent,
  RetryOptions,
} from "./options.js";
export type { ApiRequest } from "./request.js";
export type { SelectedCall } from "./selected-call.js";
export { withOptions, type DerivedOptions } from "./with-options.js";
export type { Expand, Lookup, Service, Wrap } from "./contract.js";
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
