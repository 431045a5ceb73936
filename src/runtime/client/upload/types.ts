/** Kind of an upload; see `UploadOptions.upload`. */
export type UploadKind = "auto" | "media" | "multipart" | "resumable";

/** Content of an upload. Node's streams are async iterables. */
export type UploadBody =
  | string
  | Blob
  | ArrayBuffer
  | ArrayBufferView
  | NonNullable<Response["body"]>
  | AsyncIterable<string | ArrayBuffer | ArrayBufferView>;

/**
 * Type of the parameter `media`. Its other option is an error message, which the
 * compiler prints for content that is not in an object, such as a string.
 */
export type MediaParameter = MediaOptions["media"];

/**
 * Declares {@link MediaParameter} as a property, because the compiler would
 * print the name of a type instead of the message.
 */
interface MediaOptions {
  readonly media: UploadMedia | "media: pass { body, mimeType }";
}

/** Content to upload, with its media type. */
export interface UploadMedia {
  /** Content to upload. */
  readonly body: UploadBody;
  /**
   * Media type. Default: the type of a Blob, otherwise `requestBody.mimeType`,
   * otherwise `text/plain` for a string and `application/octet-stream` for
   * other content.
   */
  readonly mimeType?: string | undefined;
  /**
   * Size of a stream in bytes, if known. The upload fails if the stream has a
   * different size.
   */
  readonly size?: number | undefined;
}

/**
 * Resumable upload in progress. To resume it later, store this object as JSON
 * and pass it as the option `session` to a call of the same method, with the
 * same complete body. The `uri` is a secret: it grants write access to the
 * upload.
 */
export interface UploadSession {
  /** URL of the upload session. */
  readonly uri: string;
  /** Number of bytes that the server has confirmed. */
  readonly offset: number;
  /** Size of the content in bytes, if known. */
  readonly size?: number | undefined;
}

/** Progress of an upload. */
export interface UploadProgress {
  /**
   * Number of bytes that were sent or, for a resumable upload, that the server
   * has confirmed.
   */
  readonly loaded: number;
  /** Size of the content in bytes, if known. */
  readonly total: number | undefined;
  /** State with which a resumable upload can be resumed later. */
  readonly session?: UploadSession | undefined;
}

/** Settings of calls with `media`. Other calls ignore them. */
export interface UploadOptions {
  /**
   * Kind of upload. `media` sends only the content. `multipart` sends metadata
   * and content in one request. `resumable` sends the metadata and then the
   * content in chunks. The default, `auto`, selects `resumable` for more than 8
   * MiB or an unknown size, if the method supports it.
   */
  readonly upload?: UploadKind | undefined;
  /**
   * Size in bytes of the chunks of a resumable upload, rounded up to a multiple
   * of 256 KiB. Default: 8 MiB.
   */
  readonly chunkSize?: number | undefined;
  /** Function that is called each time the upload makes progress. */
  readonly onProgress?: ((progress: UploadProgress) => void) | undefined;
  /** Interrupted upload to resume. */
  readonly session?: UploadSession | undefined;
}
