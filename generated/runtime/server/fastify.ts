/* eslint-disable */
// biome-ignore-all lint: generated

import { answerNode } from "./node.js";
import type { NodeRequest, NodeResponse } from "./adapters/contract.js";
import type { AdapterOptions, Server } from "./server.js";

/** What the runtime uses of Fastify's request. */
export interface FastifyRequest {
  readonly raw: NodeRequest;
  readonly url: string;
  readonly protocol: string;
  readonly host: string;
  readonly ip: string;
}

/** What the runtime uses of Fastify's reply. */
export interface FastifyReply {
  readonly raw: NodeResponse;
  hijack(): unknown;
  callNotFound(): unknown;
}

/** What the runtime uses of a Fastify instance. */
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
 * A plugin for Fastify 5: `app.register(toFastifyPlugin(server), { prefix: "/api" })`.
 * Within it nothing parses bodies, and answers do not go through `onSend`;
 * origin and address are what Fastify makes of its option `trustProxy`.
 */
export function toFastifyPlugin(
  server: Pick<Server, "handle" | "serves">,
  { fallThrough = false }: AdapterOptions = {},
): (instance: FastifyLike, options: object, done: () => void) => void {
  return (instance, _, done) => {
    const depth = instance.prefix.replace(/\/+$/, "").split("/").length - 1;
    instance.removeAllContentTypeParsers();
    // The server reads bodies itself.
    instance.addContentTypeParser("*", (_request, _payload, parsed) =>
      parsed(null),
    );
    instance.all("/*", (request, reply) => {
      const { url } = request;
      const end = endOfPrefix(url, depth);
      const [mount, target] = [url.slice(0, end), url.slice(end)];
      if (fallThrough && !server.serves(target)) return reply.callNotFound();
      reply.hijack();
      return answerNode(server, request.raw, reply.raw, {
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

/** Where the prefix of a URL ends: it may hold parameters, or be written in another way. */
function endOfPrefix(url: string, depth: number): number {
  const [path = ""] = url.split("?", 1);
  let end = 0;
  for (let left = depth; left > 0 && end !== -1; left--)
    end = path.indexOf("/", end + 1);
  return end === -1 ? path.length : end;
}
