import { hashOf } from "../key-hash.js";
import type { Model } from "../../../generated/chat/v1/schemas.js";
import {
  createChatServer,
  type ModelsService,
} from "../../../generated/chat/v1/server.js";
import type {
  ApiError,
  AuthRequest,
  Outgoing,
  ServerOptions,
} from "../../../generated/runtime/server/index.js";
import type { DemoResult, Service, ServiceContext } from "../service.js";
import type { StoreReader } from "../store/store.js";
import { Completions } from "./completions.js";
import { Embeddings } from "./embeddings.js";
import { type ChatConfig, type ChatModel, readConfig } from "./config.js";
import { Admissions, findModel } from "./admission.js";
import { BudgetKeeper } from "./budgets.js";
import { memoryLimits, type LimiterOf } from "./key-buckets.js";
import { authenticateKey, checkModelAccess, type Key } from "./keys.js";
import { logRequest } from "./log.js";
import { ChatRequest } from "./request.js";
import { sharedLimits } from "./shared-limits.js";
import { UsageRecorder } from "./usage-recorder.js";

/**
 * Default grace period in milliseconds for requests in flight when the service
 * closes.
 */
const GRACE = 10_000;

/** Checks the config of the chat service. */
export async function check(config: unknown): Promise<void> {
  readConfig(config);
}

/** Starts the chat service. */
export async function start(context: ServiceContext): Promise<Service> {
  const config = readConfig(context.config);
  const { store, log } = context;
  const now = await storeClock(context);
  const recorder = new UsageRecorder(store, now, log);
  const budgets = new BudgetKeeper(store, recorder, now);
  const admissions = new Admissions(config, context, budgets, recorder);
  const { running } = admissions;
  const completions = new Completions(config, context, admissions);
  const embeddings = new Embeddings(admissions);
  const limiterOf = await limitsOf(context);
  const { keepAlive } = config.limits;
  const started = Math.floor(context.now() / 1000);
  const server = createChatServer<Key>(
    {
      chat: {
        completions: {
          create: (call) => completions.create(call),
        },
      },
      embeddings: { create: (call) => embeddings.create(call) },
      models: modelHandlers(config, started),
    },
    serverOptions(config, store, now, limiterOf),
  );
  return {
    paths: ["/v1/"],
    maxDuration: maxDurationOf(config),
    gauges: async () => ({
      gen_chat_completions_active: running.size,
      gen_chat_breakers_open: openBreakers(config),
    }),
    problem: () => problemOf(config),
    async handle(incoming) {
      const request = new ChatRequest(incoming);
      const missing = missingEndpoint(request);
      if (missing !== undefined) return missing;
      return finish(await server.handle(request), request, keepAlive);
    },
    async close(grace = GRACE) {
      // Aborted streams have 500 ms to send their last event.
      const closing = server.close(grace + 500);
      await running.close(grace);
      await closing;
      await recorder.close();
    },
  };
}

function openBreakers({ models }: ChatConfig): number {
  return [...models.values()].reduce(
    (sum, { backend }) => sum + (backend.health?.().open ?? 0),
    0,
  );
}

/**
 * Returns a problem if no model can be served. A model without an available
 * upstream is ignored while others work: all processes would otherwise stop
 * serving because of an upstream that fails.
 */
function problemOf({ models }: ChatConfig): string | undefined {
  const isServed = [...models.values()].some(
    ({ backend }) => backend.health?.().isPaused !== true,
  );
  return isServed ? undefined : "no back end is available";
}

/**
 * Returns a function that returns the current time by the clock of the store.
 * Processes on different machines must agree on the start of a day, and their
 * clocks can differ.
 */
async function storeClock({
  store,
  now,
}: ServiceContext): Promise<() => number> {
  if (store.time === undefined) return now;
  const offset = (await store.time()) - now();
  return () => now() + offset;
}

/** Returns the limits that apply to all processes with the same store. */
async function limitsOf({ store, now }: ServiceContext): Promise<LimiterOf> {
  const { rows, time } = store;
  return rows === undefined || time === undefined
    ? memoryLimits(now)
    : sharedLimits({ rows, time });
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
  const hash = hashOf("test-key");
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
  /^\/v1\/(responses|completions|audio|images|moderations|files|batches|assistants|threads)(?=[/?]|$)/;

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
    message: `This service has no endpoint /v1/${name}; it serves /v1/chat/completions, /v1/embeddings and /v1/models.${fix}`,
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
  Object.assign(headers, state.limiter?.headers());
  // OPTIONS is removed from the `Allow` header, because every path supports it.
  if (response.status === 405 && headers["allow"] !== undefined)
    headers["allow"] = headers["allow"].replace(/, OPTIONS$/, "");
  const isStream = typeof body === "object" && !(body instanceof Uint8Array);
  return isStream
    ? { ...response, body: withComments(body, keepAlive) }
    : response;
}

/** Ids of the methods to which rate limits apply. */
const LIMITED_METHODS = new Set([
  "chat.chat.completions.create",
  "chat.embeddings.create",
]);

/** Maximum nesting depth of JSON in a request. */
const DEPTH = 100;

/**
 * Returns the options of the generated server for the chat service.
 *
 * @param now returns milliseconds since 1970, by the clock of the store
 */
function serverOptions(
  config: ChatConfig,
  store: StoreReader,
  now: () => number,
  limiterOf: LimiterOf,
): ServerOptions<Key> {
  return {
    async authenticate({ credential, request, method }: AuthRequest) {
      const { state } = request as ChatRequest;
      const token = credential?.token ?? "";
      const key = await authenticateKey(token, config.keys, store, now());
      state.key = key.name;
      state.keyId = key.id;
      if (!LIMITED_METHODS.has(method.id)) return key;
      state.limiter = limiterOf(key);
      await state.limiter?.takeRequest();
      return key;
    },
    log: logRequest,
    requestId: (request) => (request as ChatRequest).id,
    limits: { body: config.limits.bodySize, depth: DEPTH },
    cors: config.cors,
    envelope: missingMember,
  };
}

/**
 * Returns the error body for a missing member of the request body. Returns
 * undefined for any other error; the default error body is then used.
 */
function missingMember({ status, message, extras }: ApiError): unknown {
  const problem = extras.problems?.[0];
  const isMissing = status === 400 && problem?.reason === "required";
  if (!isMissing) return undefined;
  return {
    error: {
      message,
      type: "invalid_request_error",
      param: problem?.location || null,
      code: "missing_required_parameter",
    },
  };
}

type Stream = AsyncIterable<Uint8Array | string>;

/** Comment for a stream of server-sent events. Clients ignore it. */
const COMMENT = ": keep-alive\n\n";

/**
 * Adds comments to a stream of server-sent events while no events are sent,
 * because proxies and clients close idle connections. Comments are inserted
 * only between events.
 *
 * @param time milliseconds without an event after which a comment is added
 */
export function withComments(
  body: Stream,
  time: number,
): NonNullable<Outgoing["body"]> {
  const source = body[Symbol.asyncIterator]();
  type Next = IteratorResult<Uint8Array | string>;
  let pending: Promise<Next> | undefined;
  return {
    [Symbol.asyncIterator]: () => ({
      async next(): Promise<Next> {
        const next = (pending ??= source.next());
        let timer: NodeJS.Timeout | undefined;
        const silence = new Promise<undefined>((resolve) => {
          timer = setTimeout(resolve, time, undefined);
        });
        try {
          const result = await Promise.race([next, silence]);
          if (result === undefined) return { done: false, value: COMMENT };
          pending = undefined;
          return result;
        } finally {
          clearTimeout(timer);
        }
      },
      async return(): Promise<Next> {
        await source.return?.();
        return { done: true, value: undefined };
      },
    }),
  };
}

/**
 * Returns the handlers for the methods of the resource `models`.
 *
 * @param started start time of the service in seconds since 1970; used for
 *   models without `created` in the config
 */
function modelHandlers(
  { models }: ChatConfig,
  started: number,
): ModelsService<Key> {
  const toModel = ({ name, created, ownedBy }: ChatModel): Model => ({
    id: name,
    object: "model",
    created: created ?? started,
    owned_by: ownedBy,
  });
  return {
    list({ auth }) {
      const allowed = [...models.values()].filter(
        ({ name }) => auth.models?.has(name) ?? true,
      );
      return { object: "list", data: allowed.map(toModel) };
    },
    get({ params, auth }) {
      const model = findModel(params.model, models);
      checkModelAccess(auth, model.name);
      return toModel(model);
    },
  };
}
