/** The runtime of generated servers. */
export type {
  Api,
  Method,
  Parameter,
  ParameterRules,
  Validate,
  Validation,
  ValidationSettings,
  Violation,
} from "./api.js";
export {
  reply,
  Reply,
  type Answer,
  type Call,
  type DownloadAnswer,
  type DownloadHandler,
  type Handler,
  type Media,
  type MethodInfo,
} from "./call.js";
export { content, Content, type ContentSource } from "./content.js";
export { ApiError, type ErrorExtras, type Problem } from "./error.js";
export { toNodeListener, type NodeRequest, type NodeResponse } from "./node.js";
export type {
  AuthRequest,
  CorsOptions,
  Credential,
  Limits,
  LogEntry,
  RateLimit,
  ServerOptions,
} from "./options.js";
export type { Incoming, Outgoing, ServerRequest } from "./request.js";
export { createServer, type Server } from "./server.js";
export {
  memoryUploads,
  type MemoryUploadOptions,
  type StoredAnswer,
  type UploadSession,
  type UploadState,
  type UploadStore,
} from "./upload-store.js";
export {
  fileUploads,
  type FileSystem,
  type FileUploadOptions,
} from "./upload-files.js";
