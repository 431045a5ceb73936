import { handleFetch } from "./fetch.js";
import type { AdapterOptions, Server } from "./server.js";

/** Subset of Hono's context. */
export interface HonoContext {
  readonly req: {
    readonly raw: Request;
    /** Returns the body, even if a middleware has read it. */
    arrayBuffer(): Promise<ArrayBuffer>;
  };
}

/**
 * Returns a handler for Hono 4: `app.all("*", toHono(server))`. Paths include
 * the mount path: for a server below `/api` set `basePath: "/api"`.
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
