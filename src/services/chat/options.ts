import type {
  ApiError,
  AuthRequest,
  ServerOptions,
} from "../../../generated/runtime/server/index.js";
import type { ServiceContext } from "../service.js";
import type { ChatConfig } from "./config.js";
import { authenticateKey, type Key } from "./keys.js";
import { KeyBuckets } from "./key-buckets.js";
import { logRequest } from "./log.js";
import type { ChatRequest } from "./request.js";

/** Id of the method to which rate limits apply. */
const LIMITED_METHOD = "chat.chat.completions.create";

/** Maximum nesting depth of JSON in a request. */
const DEPTH = 100;

/** Returns the options of the generated server for the chat service. */
export function serverOptions(
  config: ChatConfig,
  context: ServiceContext,
): ServerOptions<Key> {
  const buckets = new Map(
    config.keys.map((key) => [key, new KeyBuckets(key.limits, context.now)]),
  );
  return {
    authenticate({ credential, request, method }: AuthRequest) {
      const { state } = request as ChatRequest;
      const key = authenticateKey(credential?.token ?? "", config.keys);
      state.key = key.name;
      if (method.id !== LIMITED_METHOD) return key;
      state.buckets = buckets.get(key);
      state.buckets?.takeRequest();
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
