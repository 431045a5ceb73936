import type {
  ApiError,
  AuthRequest,
  ServerOptions,
} from "../../../generated/runtime/server/index.js";
import type { ServiceContext } from "../service.js";
import type { ChatConfig } from "./config.js";
import { whoHas, type Key } from "./keys.js";
import { KeyBuckets } from "./limits.js";
import { logRequest } from "./log.js";
import type { ChatRequest } from "./request.js";

/** The method whose requests are counted. */
const COUNTED = "chat.chat.completions.create";

/** Levels of nested JSON in a request. */
const DEPTH = 100;

/** How the generated server is run. */
export function serverOptions(
  config: ChatConfig,
  context: ServiceContext,
): ServerOptions<Key> {
  const buckets = new Map(
    config.keys.map((key) => [key, new KeyBuckets(key.limits, context.now)]),
  );
  return {
    authenticate({ credential, request, method }: AuthRequest) {
      const { facts } = request as ChatRequest;
      const key = whoHas(credential?.token ?? "", config.keys);
      facts.key = key.name;
      if (method.id !== COUNTED) return key;
      facts.buckets = buckets.get(key);
      facts.buckets?.takeRequest();
      return key;
    },
    log: logRequest,
    requestId: (request) => (request as ChatRequest).id,
    limits: { body: config.limits.bodySize, depth: DEPTH },
    cors: config.cors,
    envelope: missingMember,
  };
}

/** A member that is missing has a code of its own; all else is as the description says. */
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
