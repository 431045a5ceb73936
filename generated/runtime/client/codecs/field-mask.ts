/* eslint-disable */
// biome-ignore-all lint: generated

import type { Codec } from "./codec.js";

/**
 * Converts between comma-separated paths such as `"name,address.city"` (format
 * `google-fieldmask`) and an array of paths. Empty text corresponds to an empty
 * array.
 *
 * @throws RangeError when encoding a path that is empty or contains a comma.
 */
export const fieldMask: Codec<string, readonly string[]> = {
  decode: (wire) => (wire ? wire.split(",") : []),
  encode(paths) {
    const bad = paths.find((path) => !path || path.includes(","));
    if (bad !== undefined) throw new RangeError(`"${bad}" is not a field path`);
    return paths.join(",");
  },
};
