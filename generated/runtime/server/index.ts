/* eslint-disable */
// biome-ignore-all lint: generated

/** Public API of the runtime for generated servers. */
export type {
  ApiDefinition,
  MethodDefinition,
  ParameterDefinition,
  ParameterRules,
  Validate,
  Validation,
  ValidationSettings,
  Violation,
} from "./contract.js";
export {
  reply,
  Reply,
  type HandlerResult,
  type Call,
  type Credential,
  type DownloadResult,
  type DownloadHandler,
  type Handler,
  type Media,
  type MethodInfo,
  type NoHeaders,
  type PagedResult,
  type PagedHandler,
} from "./call.js";
export { content, Content, type ContentSource } from "./content.js";
export {
  describeApis,
  type DescribedApi,
  type DescriptionContext,
  type DescriptionOptions,
  type Descriptions,
} from "./descriptions.js";
export { mergePatch, type MergePatch } from "./merge-patch.js";
export { ApiError, type ErrorExtras, type Problem } from "./error.js";
export {
  toExpress,
  type ExpressRequest,
  type ExpressResponse,
} from "./express.js";
export {
  toFastifyPlugin,
  type FastifyLike,
  type FastifyReply,
  type FastifyRequest,
} from "./fastify.js";
export type { HeaderValue, HeaderValues } from "./headers.js";
export { toHono, type HonoContext } from "./hono.js";
export {
  listen,
  nodeServerOptions,
  type Listening,
  type ListenOptions,
  type NodeHttp,
  type NodeServer,
} from "./listen.js";
export { page, Page, type PagePosition } from "./page.js";
export {
  LOOPBACK_HOSTS,
  toNodeListener,
  type NodeListenerOptions,
  type NodeRequest,
  type NodeResponse,
} from "./node.js";
export type {
  AuthRequest,
  CorsOptions,
  Limits,
  LogEntry,
  RateLimit,
  ServerOptions,
} from "./options.js";
export type { Incoming, Outgoing, ServerRequest } from "./request.js";
export { createServer, type AdapterOptions, type Server } from "./server.js";
export {
  memoryUploads,
  type MemoryUploadOptions,
} from "./uploads/memory-uploads.js";
export type {
  StoredResponse,
  UploadSession,
  UploadState,
  UploadStore,
} from "./uploads/contract.js";
export {
  fileUploads,
  type FileSystem,
  type FileUploadOptions,
} from "./uploads/file-uploads.js";
