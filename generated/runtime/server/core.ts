/* eslint-disable */
// biome-ignore-all lint: generated

/**
 * Modules that every generated server needs. Handwritten code imports index.ts,
 * which exports everything.
 */
export type { ApiDefinition } from "./contract.js";
export type { DownloadHandler, Handler, Media, PagedHandler } from "./call.js";
export type { Content } from "./content.js";
export type { ServerOptions } from "./options.js";
export { createServer, type Server } from "./server.js";
