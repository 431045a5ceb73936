import type {
  CallResult,
  Client,
  Feature,
  Invocation,
  Run,
} from "./contract.js";
import type { ApiError } from "./error.js";
import { execute } from "./execute.js";
import type { CallOptions } from "./options.js";
import { withAuth } from "./send.js";
import { uploadResumable } from "./upload/resumable.js";
import {
  checkSize,
  checkType,
  chooseKind,
  typeOf,
  type UploadRules,
} from "./upload/rules.js";
import { sendToSession, sessionRequest } from "./upload/session.js";
import { uploadInOneRequest } from "./upload/single-request.js";
import { sourceOf, type Source } from "./upload/source.js";
import type { UploadMedia, UploadSession } from "./upload/types.js";
import { withTimeout } from "./with-timeout.js";

export type { UploadRules } from "./upload/rules.js";
export type {
  MediaParameter,
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
  const run: Run = (call) =>
    call.parameters["media"] === undefined
      ? execute(call)
      : uploadMedia(call, rules);
  return ({ start }, { parameters }) => {
    const { media } = parameters as { readonly media?: Partial<UploadMedia> };
    watchBody(media?.body);
    return { start: (own = run) => start(own) };
  };
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
  const { uri } = session;
  const descriptor = { id: "cancelUpload", httpMethod: "DELETE", path: "" };
  const call = {
    client: withAuth(client, options.auth),
    descriptor,
    parameters: {},
    options,
  };
  await withTimeout(call, async (signal, context) => {
    const init = { method: "DELETE", headers: {}, signal };
    const request = sessionRequest(call, uri, init, context);
    await sendToSession(call, request, uri).catch((error) => {
      const { status = 0 } = error as ApiError;
      if (![404, 410, 499].includes(status)) throw error;
    });
  });
}

/**
 * Adds an error listener to a Node stream. Without a listener, a stream that
 * fails before it is read, such as a stream of a missing file, would end the
 * process. Readers still receive the error.
 */
function watchBody(body: unknown): void {
  const { on } = Object(body) as { on?: unknown };
  if (typeof on === "function") on.call(body, "error", () => {});
}

/** Uploads the parameter `media` of a call. */
function uploadMedia(
  call: Invocation,
  rules: UploadRules,
): Promise<CallResult<unknown>> {
  const media = call.parameters["media"] as UploadMedia;
  let source: Source;
  let type: string;
  let kind: "media" | "multipart" | "resumable";
  try {
    source = sourceOf(media);
    type = typeOf(media, call.parameters["requestBody"]);
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
