/* eslint-disable */
// biome-ignore-all lint: generated

import type { Invocation, PendingCall } from "./contract.js";
import { toApiError } from "./error.js";
import { execute } from "./execute.js";
import type { Media, MediaCall } from "./call-types.js";
import type { ApiRequest } from "./request.js";

export type { Media, MediaCall } from "./call-types.js";

/**
 * Returns the `Feature` that adds `media()` to calls (`supportsMediaDownload`
 * in the API description).
 */
export function download(
  call: PendingCall,
  invocation: Invocation,
): Pick<MediaCall<unknown>, "media"> {
  Object.assign(invocation, { hint: " (use .media())" });
  return {
    media() {
      call.taken = true;
      const parameters = { ...invocation.parameters, alt: "media" };
      return execute({ ...invocation, parameters }, readMedia, true).then(
        ({ data }) => data,
      );
    },
  };
}

/** Returns the media of a response. The body is read on demand. */
export async function readMedia(
  response: Response,
  { context, init }: ApiRequest,
): Promise<Media> {
  const read = (form: "arrayBuffer" | "blob" | "text") =>
    (response[form]() as Promise<never>).catch((thrown) => {
      throw toApiError(thrown, init.signal, context);
    });
  const type = response.headers.get("content-type") ?? "";
  return {
    response,
    type,
    stream: response.body ?? new Response("").body!,
    bytes: async () => new Uint8Array(await read("arrayBuffer")),
    text: () => read("text"),
    // Bun loses the type if the content arrived before it is read.
    blob: async () => new Blob([await read("blob")], { type }),
  };
}
