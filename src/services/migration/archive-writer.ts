import { printJson } from "../../diagnostics/json.js";
import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { pack, type Pack } from "tar-stream";
import type { ArchiveOutput } from "./archive-storage.js";

/** Error for an archive that would exceed its size limit. */
export class TooLargeError extends Error {
  constructor(limit: number) {
    super(`The archive would be larger than ${limit} bytes.`);
    this.name = "TooLargeError";
  }
}

/** Class that adds files to a tar archive, one after the other. */
export class ArchiveWriter {
  readonly #pack: Pack;
  readonly #time: Date;
  readonly #limit: number;
  readonly #signal: AbortSignal;

  constructor(tar: Pack, time: Date, limit: number, signal: AbortSignal) {
    this.#pack = tar;
    this.#time = time;
    this.#limit = limit;
    this.#signal = signal;
  }

  json(name: string, value: unknown): Promise<void> {
    return this.#entry(name, `${printJson(value)}\n`);
  }

  /**
   * Adds the file `source` to the archive under the given name. Does not follow
   * links.
   */
  async file(name: string, source: string): Promise<void> {
    const { O_RDONLY, O_NONBLOCK, O_NOFOLLOW } = constants;
    const handle = await open(source, O_RDONLY | O_NONBLOCK | O_NOFOLLOW);
    try {
      const stats = await handle.stat();
      if (!stats.isFile()) throw new Error(`${name} must be a file.`);
      const { size } = stats;
      if (size > this.#limit) throw new TooLargeError(this.#limit);
      if (size === 0) return await this.#entry(name, "");
      const entry = this.#pack.entry({ name, size, mtime: this.#time });
      // Bytes that are appended during the export are ignored. If the file is
      // truncated during the export, adding it fails.
      const content = handle.createReadStream({
        end: size - 1,
        autoClose: false,
      });
      entry.on("error", () => {});
      content.on("error", () => {});
      this.#signal.throwIfAborted();
      await pipeline(content, entry);
    } finally {
      await handle.close();
    }
  }

  #entry(name: string, text: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const entry = this.#pack.entry(
        { name, mtime: this.#time },
        text,
        (error) => (error == null ? resolve() : reject(error)),
      );
      // If writing the archive fails, the callback is not always called, but
      // the entry always emits an `error` event.
      entry.on("error", reject);
    });
  }
}

/** Parts of an archive that have been written. */
export interface Progress {
  bytes: number;
  repositories: number;
}

/** Output and limits of an archive. */
export interface ArchiveSettings {
  readonly output: ArchiveOutput;
  readonly progress: Progress;
  /** Modification time of all entries. */
  readonly time: Date;
  /** Maximum size of the archive in bytes. */
  readonly limit: number;
  readonly signal: AbortSignal;
}

/**
 * Writes a gzip-compressed tar archive, and publishes it when it is complete.
 *
 * @returns size in bytes
 * @throws TooLargeError or the error of `fill`; in this case no archive is
 *   created
 */
export async function writeArchive(
  { output, progress, time, limit, signal }: ArchiveSettings,
  fill: (writer: ArchiveWriter) => Promise<void>,
): Promise<number> {
  const tar = pack();
  // An unhandled `error` event would end the process. The signal is not passed
  // to `pipeline`, because the `error` events of an abort would then be
  // unhandled.
  tar.on("error", () => {});
  const stop = (): void => tar.destroy(new Error("The export was stopped."));
  signal.addEventListener("abort", stop);
  if (signal.aborted) stop();
  const counter = new SizeLimit(limit, progress);
  const written = pipeline(tar, createGzip(), counter, output.stream);
  const filled = fill(new ArchiveWriter(tar, time, limit, signal)).then(
    () => tar.finalize(),
    (error: unknown) => {
      tar.destroy(error as Error);
      throw error;
    },
  );
  try {
    await firstFailure(written, filled);
    signal.throwIfAborted();
    await output.publish();
    return progress.bytes;
  } catch (error) {
    await output.discard();
    throw error;
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

/**
 * Waits for both promises. If both are rejected, one error has caused the
 * other; throws the original error.
 */
async function firstFailure(
  written: Promise<void>,
  filled: Promise<void>,
): Promise<void> {
  const [writing, filling] = await Promise.allSettled([written, filled]);
  const reasons = [filling, writing]
    .filter((result) => result.status === "rejected")
    .map((result): unknown => result.reason);
  const large = reasons.find((reason) => reason instanceof TooLargeError);
  if (reasons.length > 0) throw large ?? reasons[0];
}

/** Stream that counts bytes, and fails if there are more than a limit. */
class SizeLimit extends Transform {
  readonly #limit: number;
  readonly #progress: Progress;

  constructor(limit: number, progress: Progress) {
    super();
    this.#limit = limit;
    this.#progress = progress;
  }

  override _transform(
    chunk: Buffer,
    _encoding: string,
    done: (error: Error | null, chunk?: Buffer) => void,
  ): void {
    this.#progress.bytes += chunk.length;
    if (this.#progress.bytes > this.#limit)
      done(new TooLargeError(this.#limit));
    else done(null, chunk);
  }
}
