/* eslint-disable */
// biome-ignore-all lint: generated

/**
 * Exports that every generated server needs. Handwritten code must import
 * index.ts instead, because index.ts exports the complete runtime.
 */
export type { ApiDefinition } from "./contract.js";
export type { DownloadHandler, Handler, Media, PagedHandler } from "./call.js";
export type { Content } from "./content.js";
export type { ServerOptions } from "./options.js";
export { createServer, type Server } from "./server.js";
