/* eslint-disable */
// biome-ignore-all lint: generated

import { handleNode } from "./node.js";
import type { NodeRequest, NodeResponse } from "./adapters/contract.js";
import type { AdapterOptions, Server } from "./server.js";

/** Members of Fastify's request that the adapter uses. */
export interface FastifyRequest {
  readonly raw: NodeRequest;
  readonly url: string;
  readonly protocol: string;
  readonly host: string;
  readonly ip: string;
}

/** Members of Fastify's reply that the adapter uses. */
export interface FastifyReply {
  readonly raw: NodeResponse;
  hijack(): unknown;
  callNotFound(): unknown;
}

/** Members of a Fastify instance that the adapter uses. */
export interface FastifyLike {
  readonly prefix: string;
  removeAllContentTypeParsers(): unknown;
  addContentTypeParser(
    type: string,
    parser: (
      request: never,
      payload: never,
      done: (error: Error | null) => void,
    ) => void,
  ): unknown;
  all(
    path: string,
    handler: (request: FastifyRequest, reply: FastifyReply) => unknown,
  ): unknown;
}

/**
 * Returns a plugin for Fastify 5: `app.register(toFastifyPlugin(server), {
 * prefix: "/api" })`. Fastify's body parsers and `onSend` hooks do not run for
 * requests to the server. Origin and remote address depend on Fastify's option
 * `trustProxy`.
 */
export function toFastifyPlugin(
  server: Pick<Server, "handle" | "serves">,
  { fallThrough = false }: AdapterOptions = {},
): (instance: FastifyLike, options: object, done: () => void) => void {
  return (instance, _, done) => {
    const depth = instance.prefix.replace(/\/+$/, "").split("/").length - 1;
    instance.removeAllContentTypeParsers();
    // Body parsing is disabled, because the server itself reads bodies.
    instance.addContentTypeParser("*", (_request, _payload, parsed) =>
      parsed(null),
    );
    instance.all("/*", (request, reply) => {
      const { url } = request;
      const end = endOfPrefix(url, depth);
      const [mount, target] = [url.slice(0, end), url.slice(end)];
      if (fallThrough && !server.serves(target)) return reply.callNotFound();
      reply.hijack();
      return handleNode(server, request.raw, reply.raw, {
        target,
        mount,
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
    });
    done();
  };
}

/**
 * Returns the position in a URL at which the mount prefix ends. The path
 * segments are counted, not compared, because the prefix can contain parameters
 * or be percent-encoded differently.
 */
function endOfPrefix(url: string, depth: number): number {
  const [path = ""] = url.split("?", 1);
  let end = 0;
  for (let left = depth; left > 0 && end !== -1; left--)
    end = path.indexOf("/", end + 1);
  return end === -1 ? path.length : end;
}
