/* eslint-disable */
// biome-ignore-all lint: generated

import { handleNode } from "./node.js";
import type { NodeRequest, NodeResponse } from "./adapters/contract.js";
import type { AdapterOptions, Server } from "./server.js";

/** Members of Express's request that the adapter uses. */
export interface ExpressRequest extends NodeRequest {
  readonly url: string;
  /** Path at which the server is mounted. */
  readonly baseUrl: string;
  readonly protocol: string;
  readonly host: string | undefined;
  readonly ip?: string | undefined;
  /** Body, if a preceding body parser has read it. */
  readonly body?: unknown;
}

/** Members of Express's response that the adapter uses. */
export type ExpressResponse = NodeResponse;

/**
 * Returns a handler for Express 5: `app.use("/api", toExpress(server))`. If a
 * preceding body parser has read the body, the parsed body in `request.body` is
 * used. Origin and remote address depend on Express's `trust proxy` setting.
 */
export function toExpress(
  server: Pick<Server, "handle" | "serves">,
  { fallThrough = false }: AdapterOptions = {},
): (
  request: ExpressRequest,
  response: ExpressResponse,
  next: () => void,
) => void {
  return (request, response, next) => {
    const { url: target, baseUrl: mount, body: parsedBody } = request;
    if (fallThrough && !server.serves(target)) return next();
    handleNode(server, request, response, {
      target,
      mount,
      parsedBody,
      get protocol() {
        return request.protocol;
      },
      get host() {
        return request.host;
      },
      get remoteAddress() {
        return request.ip;
      },
    });
  };
}
