/* eslint-disable */
// biome-ignore-all lint: generated

import type { Feature, PendingCall, Run } from "../contract.js";
import { execute } from "../execute.js";
import type { UploadMedia } from "./types.js";

/**
 * Returns the `Feature` that passes calls with the parameter `media` to the
 * function `upload`. Other calls are executed unchanged.
 */
export function uploadBy(upload: Run): Feature {
  const run: Run = (call) =>
    call.parameters["media"] === undefined ? execute(call) : upload(call);
  return ({ start }: PendingCall, { parameters }) => {
    const { media } = parameters as { readonly media?: Partial<UploadMedia> };
    watchBody(media?.body);
    return { start: (own = run) => start(own) };
  };
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
