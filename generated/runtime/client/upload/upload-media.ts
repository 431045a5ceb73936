/* eslint-disable */
// biome-ignore-all lint: generated

import type { CallResult, Invocation } from "../contract.js";
import { uploadResumable } from "./resumable.js";
import {
  checkSize,
  checkType,
  chooseKind,
  typeOf,
  type UploadRules,
} from "./rules.js";
import { receiveRuntime, withTimeout, type UploadRuntime } from "./runtime.js";
import { uploadInOneRequest } from "./single-request.js";
import { sourceOf, type Source } from "./source.js";
import type { UploadMedia } from "./types.js";

/** Uploads the parameter `media` of a call. */
export function uploadMedia(
  call: Invocation,
  rules: UploadRules,
  runtime: UploadRuntime,
): Promise<CallResult<unknown>> {
  receiveRuntime(runtime);
  const media = call.parameters["media"] as UploadMedia;
  let source: Source;
  let type: string;
  let kind: "media" | "multipart" | "resumable";
  try {
    source = sourceOf(media);
    type = typeOf(media);
    checkType(type, rules);
    checkSize(source.size ?? 0, rules);
    kind = chooseKind(call, rules, source);
  } catch (thrown) {
    return withTimeout(call, () => Promise.reject(thrown));
  }
  return kind === "resumable"
    ? uploadResumable(call, rules, source, type)
    : uploadInOneRequest(call, rules, source, type, kind);
}
