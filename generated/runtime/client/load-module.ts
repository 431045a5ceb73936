/* eslint-disable */
// biome-ignore-all lint: generated

import { toApiError } from "./error.js";

/**
 * Waits for a dynamic import.
 *
 * @throws ApiError of kind `network` (as a rejection) if the import fails.
 */
export function loadModule<T>(
  module: Promise<T>,
  methodId: string,
): Promise<T> {
  return module.catch((thrown) => {
    throw toApiError(thrown, null, { kind: "network", methodId });
  });
}
