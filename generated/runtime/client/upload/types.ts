/* eslint-disable */
// biome-ignore-all lint: generated

/** How an upload goes: see `UploadOptions.upload`. */
export type UploadKind = "auto" | "media" | "multipart" | "resumable";

/** What can be uploaded; Node's streams are async iterables. */
export type UploadBody =
  | string
  | Blob
  | ArrayBuffer
  | ArrayBufferView
  | NonNullable<Response["body"]>
  | AsyncIterable<string | ArrayBuffer | ArrayBufferView>;

/** The parameter `media` of a method that uploads. */
export interface UploadMedia {
  /** The content. */
  readonly body: UploadBody;
  /** Its type. Default: that of a Blob, else `application/octet-stream`. */
  readonly mimeType?: string | undefined;
  /** Bytes of a stream, if known; checked against what arrives. */
  readonly size?: number | undefined;
}

/**
 * A resumable upload under way: plain data, to be kept as JSON and given to a
 * later call of the same method as option `session`, with the same body from
 * its beginning. Whoever has the `uri` can write to the upload.
 */
export interface UploadSession {
  /** Where the content goes. */
  readonly uri: string;
  /** Bytes that the server has confirmed. */
  readonly offset: number;
  /** Bytes of the content, if known. */
  readonly size?: number | undefined;
}

/** How far an upload is. */
export interface UploadProgress {
  /** Bytes that are sent, or confirmed if the upload is resumable. */
  readonly loaded: number;
  /** Bytes of the content, if known. */
  readonly total: number | undefined;
  /** What a later call needs to go on, if the upload is resumable. */
  readonly session?: UploadSession | undefined;
}

/** Settings of calls with `media`; others ignore them. */
export interface UploadOptions {
  /**
   * `media` sends the content alone, `multipart` with the metadata in one
   * request, `resumable` in chunks after the metadata. Default `auto`:
   * resumable for more than 8 MiB or an unknown size, if the method offers it.
   */
  readonly upload?: UploadKind | undefined;
  /** Bytes of a chunk, rounded up to a multiple of 256 KiB. Default: 8 MiB. */
  readonly chunkSize?: number | undefined;
  /** Called as the upload gets on. */
  readonly onProgress?: ((progress: UploadProgress) => void) | undefined;
  /** Goes on with an upload that was begun earlier. */
  readonly session?: UploadSession | undefined;
}
