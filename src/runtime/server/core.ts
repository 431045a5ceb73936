/** What every generated server needs. People import from index.ts, which has everything. */
export type { ApiDefinition } from "./contract.js";
export type { DownloadHandler, Handler, Media, PagedHandler } from "./call.js";
export type { Content } from "./content.js";
export type { ServerOptions } from "./options.js";
export { createServer, type Server } from "./server.js";
