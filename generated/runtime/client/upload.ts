/* eslint-disable */
// biome-ignore-all lint: generated

import type { Client, Feature } from "./contract.js";
import type { ApiError } from "./error.js";
import type { CallOptions } from "./options.js";
import { withTimeout } from "./with-timeout.js";
import type { UploadRules } from "./upload/rules.js";
import { receiveRuntime } from "./upload/runtime.js";
import { sendToSession, sessionRequest } from "./upload/session.js";
import type { UploadSession } from "./upload/types.js";
import { uploadBy } from "./upload/upload-by.js";
import { uploadMedia } from "./upload/upload-media.js";
import { uploadRuntime } from "./upload/upload-runtime.js";

export type { UploadRules } from "./upload/rules.js";
export type {
  UploadBody,
  UploadKind,
  UploadMedia,
  UploadOptions,
  UploadProgress,
  UploadSession,
} from "./upload/types.js";

/**
 * Returns the `Feature` that uploads the parameter `media` (`mediaUpload` in
 * the API description). Calls without `media` are sent unchanged. The media
 * type and size are checked before the request is sent.
 *
 * @throws ApiError of kind `request` for media that the method does not accept;
 *   of kind `upload` if reading the body fails, the body does not have the
 *   declared size, or the body can't be read again from the offset that the
 *   server confirmed.
 */
/* @__NO_SIDE_EFFECTS__ */
export function upload(rules: UploadRules): Feature {
  return uploadBy(async (call) => uploadMedia(call, rules, uploadRuntime));
}

/**
 * Cancels a resumable upload. The server discards the uploaded content. Also
 * succeeds if the upload session no longer exists.
 *
 * @throws ApiError if the server rejects the request.
 */
export async function cancelUpload(
  client: Client,
  session: UploadSession,
  options: CallOptions = {},
): Promise<void> {
  receiveRuntime(uploadRuntime);
  const { uri } = session;
  const descriptor = { id: "cancelUpload", verb: "DELETE", path: "" };
  const call = { client, descriptor, parameters: {}, options };
  await withTimeout(call, async (signal, facts) => {
    const init = { method: "DELETE", headers: {}, signal };
    const request = sessionRequest(call, uri, init, facts);
    await sendToSession(call, request, uri).catch((error) => {
      const { status = 0 } = error as ApiError;
      if (![404, 410, 499].includes(status)) throw error;
    });
  });
}
