/* eslint-disable */
// biome-ignore-all lint: generated

import type { Feature } from "./contract.js";
import { loadModule } from "./load-module.js";
import type { UploadRules } from "./upload/rules.js";
import { uploadBy } from "./upload/upload-by.js";
import { uploadRuntime } from "./upload/upload-runtime.js";

/**
 * Returns the same `Feature` as `upload`, but loads its code at the first
 * upload. Bundlers put this code into a separate file, which programs without
 * uploads do not load.
 */
/* @__NO_SIDE_EFFECTS__ */
export function uploadOnDemand(rules: UploadRules): Feature {
  return uploadBy(async (call) => {
    const upload = import("./upload/upload-media.js");
    const { uploadMedia } = await loadModule(upload, call.descriptor.id);
    return uploadMedia(call, rules, uploadRuntime);
  });
}
