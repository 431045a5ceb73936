import { createHash } from "node:crypto";

/** Returns a digest of bytes, for use in entity tags. */
export function digestOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("base64url").slice(0, 27);
}

/**
 * Response body that is stored in gzip-compressed form. The compressed bytes
 * are sent to callers that accept gzip. For all other uses, the body is a
 * stream of the decompressed bytes.
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
