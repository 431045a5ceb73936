import type { Feature } from "./contract.js";

/**
 * `Feature` of methods with a query parameter `requestId`, by which the server
 * recognises a repeated request (AIP-155). If the caller does not set the
 * parameter, each call gets a random UUID, which all its attempts share.
 * Therefore the call is retried even if its HTTP method is not idempotent.
 * Browsers provide UUIDs to secure pages only; other pages send no ID.
 */
export const requestId: Feature = (_, invocation) => {
  const { client, options, parameters } = invocation;
  const { requestIds = true, retry: common } = client.options;
  const uuid = (): string | undefined =>
    (crypto as { randomUUID?(): string }).randomUUID?.();
  const id = parameters["requestId"] ?? (requestIds ? uuid() : undefined);
  if (id == null) return {};
  Object.assign(invocation, { parameters: { ...parameters, requestId: id } });
  const { retry = common } = options;
  if (retry !== false)
    Object.assign(invocation, {
      options: { ...options, retry: { unsafe: true, ...options.retry } },
    });
  return {};
};
