import { writeSync } from "node:fs";

/** Size of the buffer in bytes. */
const SIZE = 1 << 20;

/** Buffered writer for a new file. */
export class BufferedFile {
  readonly #descriptor: number;
  readonly #onBytes: (bytes: Uint8Array) => void;
  readonly #buffer: Buffer = Buffer.allocUnsafeSlow(SIZE);
  #pending = 0;
  #written = 0;

  /** @param onBytes function that is called with all bytes, in order */
  constructor(
    descriptor: number,
    onBytes: (bytes: Uint8Array) => void = () => undefined,
  ) {
    this.#descriptor = descriptor;
    this.#onBytes = onBytes;
  }

  /** Size of the file in bytes, including the bytes that are still buffered. */
  get size(): number {
    return this.#written + this.#pending;
  }

  /** Writes text or bytes. The caller can reuse the bytes after the call. */
  write(content: string | Uint8Array): void {
    // A UTF-16 code unit takes at most 3 bytes in UTF-8.
    const length =
      typeof content === "string" ? content.length * 3 : content.length;
    if (length > SIZE - this.#pending) this.flush();
    if (length > SIZE) this.#put(bytesOf(content));
    else if (typeof content === "string")
      this.#pending += this.#buffer.write(content, this.#pending);
    else {
      this.#buffer.set(content, this.#pending);
      this.#pending += content.length;
    }
  }

  /** Writes the buffered bytes. */
  flush(): void {
    const length = this.#pending;
    this.#pending = 0;
    if (length > 0) this.#put(this.#buffer.subarray(0, length));
  }

  /** Continues at the start of the file. */
  clear(): void {
    this.#pending = 0;
    this.#written = 0;
  }

  #put(bytes: Uint8Array): void {
    this.#onBytes(bytes);
    for (let start = 0; start < bytes.length;) {
      const position = this.#written + start;
      const rest = bytes.length - start;
      start += writeSync(this.#descriptor, bytes, start, rest, position);
    }
    this.#written += bytes.length;
  }
}

function bytesOf(content: string | Uint8Array): Uint8Array {
  return typeof content === "string" ? Buffer.from(content) : content;
}
