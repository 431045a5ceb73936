import { createHash } from "node:crypto";

/** What names bytes: the same for the same bytes, on every machine. */
export function digestOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("base64url").slice(0, 27);
}

/**
 * The body of an answer whose bytes lie packed in memory already: who takes
 * gzip gets them as they are. To anybody else it is a stream.
 */
export class StoredBody implements AsyncIterable<Uint8Array> {
  readonly digest: string;
  /** Bytes when unpacked. */
  readonly size: number;
  /** As gzip has it. */
  readonly packed: Buffer;
  /** Unpacks it. */
  readonly read: () => Promise<Buffer>;

  constructor(
    { digest, size, packed }: Pick<StoredBody, "digest" | "size" | "packed">,
    read: () => Promise<Buffer>,
  ) {
    this.digest = digest;
    this.size = size;
    this.packed = packed;
    this.read = read;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    yield await this.read();
  }
}
