import { createHash } from "node:crypto";

/** Returns a digest of bytes, for entity tags. */
export function digestOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("base64url").slice(0, 27);
}

/**
 * Response body that is stored in gzip-compressed form. The compressed bytes
 * are sent to callers that accept gzip. For other uses, the body is a stream of
 * the decompressed bytes.
 */
export class CompressedBody implements AsyncIterable<Uint8Array> {
  readonly digest: string;
  /** Size of the decompressed body in bytes. */
  readonly size: number;
  /** Body compressed with gzip. */
  readonly compressed: Buffer;
  /** Returns the decompressed body. */
  readonly read: () => Promise<Buffer>;

  constructor(
    {
      digest,
      size,
      compressed,
    }: Pick<CompressedBody, "digest" | "size" | "compressed">,
    read: () => Promise<Buffer>,
  ) {
    this.digest = digest;
    this.size = size;
    this.compressed = compressed;
    this.read = read;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    yield await this.read();
  }
}
