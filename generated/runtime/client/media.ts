import type { Call, Invocation, PendingCall, SHAPE } from "./call.js";
import { toApiError } from "./error.js";
import { execute } from "./execute.js";
import type { ApiRequest } from "./request.js";

/** A call whose media can be had as well as its value. */
export interface MediaCall<T> extends Call<T> {
  /** For types alone. */
  readonly [SHAPE]?: { value: T; media: true };
  /**
   * The media itself, in place of what describes it (`alt=media`). A timeout
   * covers the head of the answer, the signal its body as well.
   */
  media(): Promise<Media>;
}

/** Media that has begun to arrive; the body can be read once. */
export interface Media {
  /** Status and headers. */
  readonly response: Response;
  /** The body as it arrives; its errors are those of the platform. */
  readonly stream: NonNullable<Response["body"]>;
  /** The whole body. @throws ApiError of kind `network` or `abort`. */
  bytes(): Promise<Uint8Array<ArrayBuffer>>;
  /** The whole body, as UTF-8. @throws ApiError, as `bytes` does. */
  text(): Promise<string>;
  /** The whole body with its type. @throws ApiError, as `bytes` does. */
  blob(): Promise<Blob>;
}

/** Gives a call `media()` (document field `supportsMediaDownload`). */
export function download(
  call: PendingCall,
  invocation: Invocation,
): Pick<MediaCall<unknown>, "media"> {
  const parameters = { ...invocation.parameters, alt: "media" };
  return {
    media() {
      call.taken = true;
      return execute({ ...invocation, parameters }, openMedia, true).then(
        ({ data }) => data,
      );
    },
  };
}

async function openMedia(
  response: Response,
  { facts, init }: ApiRequest,
): Promise<Media> {
  const guard = <T>(body: Promise<T>): Promise<T> =>
    body.catch((thrown) => {
      throw toApiError(thrown, init.signal, facts);
    });
  return {
    response,
    stream: response.body ?? new Response("").body!,
    bytes: () =>
      guard(response.arrayBuffer()).then((all) => new Uint8Array(all)),
    text: () => guard(response.text()),
    blob: () => guard(response.blob()),
  };
}
