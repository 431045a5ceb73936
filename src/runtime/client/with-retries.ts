import type { Client } from "./contract.js";
import type { RetryOptions } from "./options.js";
import { retry } from "./retry.js";
import { hideOptions } from "./send.js";

/**
 * Returns a copy of a client of `createBareClient` that retries failed attempts
 * as a client of `createClient` does. Retry settings of a call override these.
 */
export function withRetries(
  client: Client,
  settings: RetryOptions = {},
): Client {
  return hideOptions(
    { ...client.options, retry: settings },
    { ...client, retry },
  );
}
