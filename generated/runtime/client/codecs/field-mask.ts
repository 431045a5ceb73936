/* eslint-disable */
// biome-ignore-all lint: generated

import type { Codec } from "./codec.js";

/**
 * Format `google-fieldmask`: paths joined by commas, such as
 * `"name,address.city"`, as an array. Empty text is an empty array.
 *
 * @throws RangeError for a path to encode that is empty or has a comma.
 */
export const fieldMask: Codec<string, readonly string[]> = {
  decode: (wire) => (wire ? wire.split(",") : []),
  encode(paths) {
    const bad = paths.find((path) => !path || path.includes(","));
    if (bad !== undefined) throw new RangeError(`not one path: "${bad}"`);
    return paths.join(",");
  },
};
