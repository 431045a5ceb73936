import {
  ApiError,
  type AuthRequest,
} from "../../../generated/runtime/server/index.js";
import { entryWithHash, hashOf } from "../key-hash.js";
import { addLogFields } from "../log.js";
import { RateLimiter } from "../marketplace/rate-limit.js";
import type { AdminToken } from "./config.js";
import type { Operator } from "./context.js";

/** Function that returns the caller of a request. */
export type Authenticate = (request: AuthRequest) => Operator;

/**
 * Maximum number of requests with an invalid token per minute and client
 * address. Further requests of the address are rejected, even with a valid
 * token, so that tokens can't be guessed.
 */
const MAX_FAILURES = 20;

/**
 * Returns a function that authenticates requests by their token. It throws an
 * ApiError 401 for an invalid token, and 429 after too many of them.
 *
 * @param tokens returns the current tokens
 * @param now returns the current time in milliseconds since 1970
 * @param operatorOf returns the caller with a valid token
 */
export function tokenCheck(
  tokens: () => readonly AdminToken[],
  now: () => number,
  operatorOf: (token: AdminToken, request: AuthRequest) => Operator = ({
    name,
  }) => ({ name }),
): Authenticate {
  const failures = new RateLimiter(MAX_FAILURES, false, now);
  return (request) => {
    const limit = failures.peek(request);
    if (limit !== undefined)
      throw new ApiError(429, "", {
        headers: { "retry-after": String(Math.ceil(limit.retryAfter)) },
      });
    const hash = hashOf(request.credential?.token ?? "");
    const token = entryWithHash(hash, tokens());
    if (token === undefined) {
      failures.check(request);
      throw new ApiError(401, "", {
        headers: { "www-authenticate": "Bearer" },
      });
    }
    const operator = operatorOf(token, request);
    addLogFields(request.request, { operator: operator.name });
    return operator;
  };
}
