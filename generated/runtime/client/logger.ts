/* eslint-disable */
// biome-ignore-all lint: generated

import type { Interceptor, Logger } from "./options.js";

/** Returns an interceptor that passes each attempt to a logger. */
export function logTo(logger: Logger): Interceptor {
  return async (request, next) => {
    const { context, init } = request;
    const start = performance.now();
    const log = (result: { status: number } | { error: string }) =>
      logger({
        methodId: context.methodId,
        httpMethod: init.method,
        url: context.url!,
        attempt: context.attempts ?? 1,
        duration: performance.now() - start,
        ...result,
      });
    let response: Response;
    try {
      response = await next(request);
    } catch (thrown) {
      const { code, name } = Object(thrown) as Partial<Record<string, unknown>>;
      log({ error: typeof code === "string" ? code : String(name) });
      throw thrown;
    }
    log({ status: response.status });
    return response;
  };
}
