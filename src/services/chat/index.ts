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

/** Milliseconds for which the service waits for what is under way when it ends. */
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
    longest: longestOf(config),
    async handle(incoming) {
      const request = new ChatRequest(incoming);
      return finish(await server.handle(request), request, keepAlive);
    },
    async close(grace = GRACE) {
      // Streams get a last event before they are broken off.
      const closing = server.close(grace + 500);
      await completions.active.close(grace);
      await closing;
    },
  };
}

/** Milliseconds that the slowest back end may take for an answer. */
function longestOf({ models }: ChatConfig): number {
  const times = [...models.values()].map(({ backend }) => backend.longest ?? 0);
  return Math.max(0, ...times);
}

/** What `gen serve chat --demo` shows. */
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
      `any client of this protocol: base URL ${origin}/v1, key test-key, model test-model`,
    ],
  };
}

/** Adds what answers of all kinds have. */
function finish(
  answer: Outgoing,
  { facts }: ChatRequest,
  keepAlive: number,
): Outgoing {
  const { headers, body } = answer;
  Object.assign(headers, facts.buckets?.headers());
  // Nobody needs to be told of OPTIONS, which every path has.
  if (answer.status === 405 && headers["allow"] !== undefined)
    headers["allow"] = headers["allow"].replace(/, OPTIONS$/, "");
  const isStream = typeof body === "object" && !(body instanceof Uint8Array);
  return isStream ? { ...answer, body: withComments(body, keepAlive) } : answer;
}
