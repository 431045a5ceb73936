import { printJson } from "../../diagnostics/json.js";
import { constants, createWriteStream } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import path from "node:path";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { pack, type Pack } from "tar-stream";

/** The archive would be larger than it may be. */
export class TooLargeError extends Error {
  constructor(limit: number) {
    super(`The archive would be larger than ${limit} bytes.`);
    this.name = "TooLargeError";
  }
}

/** Puts files in a tar archive, one after the other. */
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

  /** Copies a file, but not through a link; it must not grow meanwhile. */
  async file(name: string, source: string): Promise<void> {
    const { O_RDONLY, O_NONBLOCK, O_NOFOLLOW } = constants;
    const handle = await open(source, O_RDONLY | O_NONBLOCK | O_NOFOLLOW);
    try {
      const found = await handle.stat();
      if (!found.isFile()) throw new Error(`${name} must be a file.`);
      const { size } = found;
      if (size > this.#limit) throw new TooLargeError(this.#limit);
      if (size === 0) return await this.#entry(name, "");
      const entry = this.#pack.entry({ name, size, mtime: this.#time });
      // What grew is cut, what shrank is an error of the entry.
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
      // It fails with the archive, which the callback reports only at times.
      entry.on("error", reject);
    });
  }
}

/** How an archive is written. */
export interface ArchiveSettings {
  /** Where it is to be; there is nothing until it is whole. */
  readonly file: string;
  /** Where it is made, on the same file system. */
  readonly draft: string;
  /** Time of its entries. */
  readonly time: Date;
  /** In bytes. */
  readonly limit: number;
  readonly signal: AbortSignal;
}

/**
 * Writes a tar archive with gzip. It is on disk, whole, before it has its name.
 *
 * @returns its size in bytes
 * @throws TooLargeError, or whatever `fill` throws; then there is no archive
 */
export async function writeArchive(
  { file, draft, time, limit, signal }: ArchiveSettings,
  fill: (writer: ArchiveWriter) => Promise<void>,
): Promise<number> {
  signal.throwIfAborted();
  const tar = pack();
  // A pipeline with a signal leaves errors that nobody listens to, which would end the process.
  tar.on("error", () => {});
  const stop = (): void => tar.destroy(new Error("The export was stopped."));
  signal.addEventListener("abort", stop);
  const written = pipeline(
    tar,
    createGzip(),
    atMost(limit),
    createWriteStream(draft),
  );
  const filled = fill(new ArchiveWriter(tar, time, limit, signal)).then(
    () => tar.finalize(),
    (error: unknown) => {
      tar.destroy(error as Error);
      throw error;
    },
  );
  try {
    await firstFailure(written, filled);
    return await publish(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

/** Waits for both; what made the other fail comes first. */
async function firstFailure(
  written: Promise<void>,
  filled: Promise<void>,
): Promise<void> {
  const [one, other] = await Promise.allSettled([written, filled]);
  const reasons = [other, one]
    .filter((result) => result.status === "rejected")
    .map((result): unknown => result.reason);
  const large = reasons.find((reason) => reason instanceof TooLargeError);
  if (reasons.length > 0) throw large ?? reasons[0];
}

function atMost(limit: number): Transform {
  let size = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length;
      if (size > limit) done(new TooLargeError(limit));
      else done(null, chunk);
    },
  });
}

async function publish(draft: string, file: string): Promise<number> {
  const size = await synced(
    draft,
    async (handle) => (await handle.stat()).size,
  );
  await rename(draft, file);
  await synced(path.dirname(file), async () => {});
  return size;
}

async function synced<T>(
  name: string,
  use: (handle: Awaited<ReturnType<typeof open>>) => Promise<T>,
): Promise<T> {
  const handle = await open(name, "r");
  try {
    await handle.sync();
    return await use(handle);
  } finally {
    await handle.close();
  }
}
