/* eslint-disable */
// biome-ignore-all lint: generated

import { handleFetch } from "./fetch.js";
import type { AdapterOptions, Server } from "./server.js";

/** Members of Hono's context that the adapter uses. */
export interface HonoContext {
  readonly req: {
    readonly raw: Request;
    /** Returns the request body, even if middleware has already read it. */
    arrayBuffer(): Promise<ArrayBuffer>;
  };
}

/**
 * Returns a handler for Hono 4: `app.all("*", toHono(server))`. Hono does not
 * remove the path at which the handler is mounted from request paths: for a
 * server at `/api`, set `basePath: "/api"`.
 */
export function toHono(
  server: Pick<Server, "handle" | "serves">,
  { fallThrough = false }: AdapterOptions = {},
): (
  context: HonoContext,
  next: () => Promise<void>,
) => Promise<Response | void> {
  return async ({ req }, next) => {
    const { raw } = req;
    if (fallThrough && !server.serves(targetOf(raw.url))) return next();
    return handleFetch(
      raw,
      (incoming) => server.handle(incoming),
      raw.bodyUsed ? await req.arrayBuffer() : undefined,
    );
  };
}

function targetOf(url: string): string {
  const { pathname, search } = new URL(url);
  return pathname + search;
}
