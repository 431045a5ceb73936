import { closeSync, ftruncateSync, openSync, readSync, rmSync } from "node:fs";
import { BufferedFile } from "./buffered-file.js";

/** Size in bytes of the sections in which the file is read. */
const SECTION = 1 << 18;

/**
 * Maximum number of sections in memory. Several sections are needed, because
 * parts that follow each other in a generated file can be far apart in this
 * file.
 */
const SECTIONS = 4;

/** File that contains parts of generated files, in the order of printing. */
export class PartFile {
  readonly #file: string;
  readonly #descriptor: number;
  readonly #writer: BufferedFile;
  /** Offsets in the file at which the parts end. */
  #ends: number[] = [];
  /** Sections of the file in memory, keyed by number, least recently used first. */
  readonly #sections = new Map<number, Buffer>();

  constructor(file: string) {
    this.#file = file;
    this.#descriptor = openSync(file, "wx+");
    this.#writer = new BufferedFile(this.#descriptor);
  }

  /** Adds a part. Returns its number. */
  add(text: string): number {
    this.#writer.write(text);
    return this.#ends.push(this.#writer.size) - 1;
  }

  /** Calls a function with the bytes of a part, in one or several buffers. */
  read(part: number, use: (bytes: Uint8Array) => void): void {
    this.#writer.flush();
    const start = part === 0 ? 0 : this.#ends[part - 1]!;
    const end = this.#ends[part]!;
    for (let position = start; position < end;) {
      const number = Math.floor(position / SECTION);
      const offset = number * SECTION;
      const until = Math.min(end, offset + SECTION);
      use(this.#section(number).subarray(position - offset, until - offset));
      position = until;
    }
  }

  /** Removes all parts. */
  clear(): void {
    this.#writer.clear();
    this.#ends = [];
    this.#sections.clear();
    ftruncateSync(this.#descriptor);
  }

  /** Deletes the file. */
  close(): void {
    closeSync(this.#descriptor);
    try {
      rmSync(this.#file, { force: true });
    } catch {
      // This error is ignored, because the staging folder is deleted at the end of
      // the run.
    }
  }

  #section(number: number): Buffer {
    const known = this.#sections.get(number);
    if (known !== undefined) {
      this.#sections.delete(number);
      this.#sections.set(number, known);
      return known;
    }
    const [oldest] = this.#sections.keys();
    const isFull = this.#sections.size === SECTIONS;
    const section = isFull
      ? this.#sections.get(oldest!)!
      : Buffer.allocUnsafeSlow(SECTION);
    if (isFull) this.#sections.delete(oldest!);
    readFully(this.#descriptor, section, number * SECTION);
    this.#sections.set(number, section);
    return section;
  }
}

function readFully(descriptor: number, buffer: Buffer, position: number): void {
  let length = 0;
  while (length < buffer.length) {
    const rest = buffer.length - length;
    const count = readSync(descriptor, buffer, length, rest, position + length);
    if (count === 0) return;
    length += count;
  }
}
