import { createHash } from "node:crypto";

/** Returns a digest of bytes, for entity tags. */
export function digestOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("base64url").slice(0, 27);
}

/**
 * Response body whose gzip bytes are in memory, and are sent to callers that accept gzip.
 * For other uses it is a stream of the decompressed bytes.
 */
export class CompressedBody implements AsyncIterable<Uint8Array> {
  readonly digest: string;
  /** Number of decompressed bytes. */
  readonly size: number;
  /** Bytes compressed with gzip. */
  readonly compressed: Buffer;
  /** Decompresses the bytes. */
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
