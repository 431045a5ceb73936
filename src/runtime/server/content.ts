/** Content of a download. Handlers return it if `wantsContent` is true. */
export class Content {
  readonly source: ContentSource;

  constructor(source: ContentSource) {
    this.source = source;
  }
}

/** Source and metadata of the content of a download. */
export interface ContentSource {
  /**
   * Complete content, or a function that returns the bytes from offset `start`
   * up to, but not including, offset `end`.
   */
  readonly body:
    | Uint8Array
    | AsyncIterable<Uint8Array>
    | ((start: number, end: number | undefined) => AsyncIterable<Uint8Array>);
  /** Media type. Default: `application/octet-stream`. */
  readonly contentType?: string | undefined;
  /**
   * Size in bytes. It is required for range requests, unless the body is in
   * memory.
   */
  readonly size?: number | undefined;
  /**
   * Entity tag, including its quotes. It is required for conditional requests.
   */
  readonly etag?: string | undefined;
  /** Additional response headers. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** Source whose content is a text, which is sent as UTF-8. */
export type TextSource = Omit<ContentSource, "body" | "size"> & {
  readonly body: string;
};

/**
 * Creates the content of a download. The runtime handles range and conditional
 * requests.
 */
export function content(source: ContentSource | TextSource): Content {
  const { body } = source;
  return new Content(
    typeof body === "string"
      ? { ...source, body: new TextEncoder().encode(body) }
      : (source as ContentSource),
  );
}
