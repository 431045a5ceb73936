import { createHash } from "node:crypto";
import { createChatServer } from "../../../generated/chat/v1/server.js";
import type { Outgoing } from "../../../generated/runtime/server/index.js";
import type { DemoResult, Service, ServiceContext } from "../service.js";
import { Completions } from "./completions.js";
import { readConfig, type ChatConfig } from "./config.js";
import { withComments } from "./keep-alive.js";
import type { Key } from "./keys.js";
import { modelHandlers } from "./models.js";
import { serverOptions } from "./options.js";
import { ChatRequest } from "./request.js";

/**
 * Default grace period in milliseconds for requests in flight when the service
 * closes.
 */
const GRACE = 10_000;

/** Starts the chat service. */
export async function start(context: ServiceContext): Promise<Service> {
  const config = readConfig(context.config);
  const completions = new Completions(config, context);
  const { keepAlive } = config.limits;
  const started = Math.floor(context.now() / 1000);
  const server = createChatServer<Key>(
    {
      chat: {
        completions: {
          create: (call) => completions.create(call),
        },
      },
      models: modelHandlers(config, started),
    },
    serverOptions(config, context),
  );
  return {
    paths: ["/v1/"],
    maxDuration: maxDurationOf(config),
    async handle(incoming) {
      const request = new ChatRequest(incoming);
      const missing = missingEndpoint(request);
      if (missing !== undefined) return missing;
      return finish(await server.handle(request), request, keepAlive);
    },
    async close(grace = GRACE) {
      // Aborted streams have 500 ms to send their last event.
      const closing = server.close(grace + 500);
      await completions.running.close(grace);
      await closing;
    },
  };
}

/**
 * Returns the longest maximum duration of a response among all backends, in
 * milliseconds.
 */
function maxDurationOf({ models }: ChatConfig): number {
  const times = [...models.values()].map(
    ({ backend }) => backend.maxDuration ?? 0,
  );
  return Math.max(0, ...times);
}

/** Returns the config of `gen serve chat --demo`. */
export async function demo(): Promise<DemoResult> {
  const hash = createHash("sha256").update("test-key").digest("hex");
  return {
    config: {
      keys: [{ name: "demo", key: `sha256:${hash}` }],
      models: { "test-model": "echo" },
    },
    help: (origin) => [
      `curl ${origin}/v1/models -H 'Authorization: Bearer test-key'`,
      `curl ${origin}/v1/chat/completions -H 'Authorization: Bearer test-key' -H 'Content-Type: application/json' -d '{"model":"test-model","messages":[{"role":"user","content":"Hello"}]}'`,
      `other clients of this API: base URL ${origin}/v1, key test-key, model test-model`,
    ],
  };
}

/** Pattern of the OpenAI protocol's endpoints that the service does not have. */
const OTHER_ENDPOINTS =
  /^\/v1\/(responses|embeddings|completions|audio|images|moderations|files|batches|assistants|threads)(?=[/?]|$)/;

/**
 * Returns the 404 response for an endpoint that other services of the protocol
 * have, and which the AI SDK and other clients use by default. Returns undefined
 * for other paths.
 */
function missingEndpoint({ target, id }: ChatRequest): Outgoing | undefined {
  const name = OTHER_ENDPOINTS.exec(target)?.[1];
  if (name === undefined) return undefined;
  const fix =
    name === "responses"
      ? " With the AI SDK, write openai.chat(model) instead of openai(model); with the OpenAI SDK, client.chat.completions instead of client.responses."
      : "";
  const error = {
    message: `This service has no endpoint /v1/${name}; it serves /v1/chat/completions and /v1/models.${fix}`,
    type: "invalid_request_error",
    param: null,
    code: "unknown_endpoint",
  };
  return {
    status: 404,
    headers: {
      "content-type": "application/json; charset=utf-8",
      "x-request-id": id,
    },
    body: JSON.stringify({ error }),
  };
}

/**
 * Adds rate limit headers to a response, and keep-alive comments to a streamed
 * response.
 */
function finish(
  response: Outgoing,
  { state }: ChatRequest,
  keepAlive: number,
): Outgoing {
  const { headers, body } = response;
  Object.assign(headers, state.buckets?.headers());
  // OPTIONS is removed from the `Allow` header, because every path supports it.
  if (response.status === 405 && headers["allow"] !== undefined)
    headers["allow"] = headers["allow"].replace(/, OPTIONS$/, "");
  const isStream = typeof body === "object" && !(body instanceof Uint8Array);
  return isStream
    ? { ...response, body: withComments(body, keepAlive) }
    : response;
}
