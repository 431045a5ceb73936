/* eslint-disable */
// biome-ignore-all lint: generated

/** Content to be downloaded; a handler returns it where `wantsContent` is set. */
export class Content {
  readonly source: ContentSource;

  constructor(source: ContentSource) {
    this.source = source;
  }
}

/** Where content comes from, and what is known of it. */
export interface ContentSource {
  /** The whole, or a function that gives the bytes from `start` to before `end`. */
  readonly body:
    | Uint8Array
    | AsyncIterable<Uint8Array>
    | ((start: number, end: number | undefined) => AsyncIterable<Uint8Array>);
  /** Media type; default `application/octet-stream`. */
  readonly contentType?: string | undefined;
  /** In bytes; needed for ranges where the body is not in memory. */
  readonly size?: number | undefined;
  /** Entity tag with its quotes, for conditional requests. */
  readonly etag?: string | undefined;
  /** Further headers. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** Content for a download. Ranges and conditions are the runtime's business. */
export function content(source: ContentSource): Content {
  return new Content(source);
}
