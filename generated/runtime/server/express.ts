/* eslint-disable */
// biome-ignore-all lint: generated

import { answerNode } from "./node.js";
import type { NodeRequest, NodeResponse } from "./adapters/contract.js";
import type { AdapterOptions, Server } from "./server.js";

/** What the runtime uses of Express's request. */
export interface ExpressRequest extends NodeRequest {
  readonly url: string;
  /** The path at which the server is mounted. */
  readonly baseUrl: string;
  readonly protocol: string;
  readonly host: string | undefined;
  readonly ip?: string | undefined;
  /** What a body parser in front has read. */
  readonly body?: unknown;
}

/** What the runtime uses of Express's response. */
export type ExpressResponse = NodeResponse;

/**
 * A handler for Express 5: `app.use("/api", toExpress(server))`. Bodies that a
 * parser in front has read are taken from `request.body`; origin and address
 * are what Express makes of its setting `trust proxy`.
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
    answerNode(server, request, response, {
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
