import { printJson } from "../../diagnostics/json.js";
import { constants, createWriteStream } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import path from "node:path";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { pack, type Pack } from "tar-stream";

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

/** Output files and limits of an archive. */
export interface ArchiveSettings {
  /**
   * Final path of the archive. The file is created only when the archive is
   * complete.
   */
  readonly file: string;
  /**
   * Path of the temporary file. It must be on the same file system as `file`.
   */
  readonly draft: string;
  /** Modification time of all entries. */
  readonly time: Date;
  /** Maximum size of the archive in bytes. */
  readonly limit: number;
  readonly signal: AbortSignal;
}

/**
 * Writes a gzip-compressed tar archive to a temporary file, syncs it to disk,
 * and renames it to its final path.
 *
 * @returns size in bytes
 * @throws TooLargeError or the error of `fill`; in this case no archive is
 *   created
 */
export async function writeArchive(
  { file, draft, time, limit, signal }: ArchiveSettings,
  fill: (writer: ArchiveWriter) => Promise<void>,
): Promise<number> {
  signal.throwIfAborted();
  const tar = pack();
  // An unhandled `error` event would end the process. The signal is not passed
  // to `pipeline`, because the `error` events of an abort would then be
  // unhandled.
  tar.on("error", () => {});
  const stop = (): void => tar.destroy(new Error("The export was stopped."));
  signal.addEventListener("abort", stop);
  const written = pipeline(
    tar,
    createGzip(),
    limitSize(limit),
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

function limitSize(limit: number): Transform {
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
  const size = await withSync(
    draft,
    async (handle) => (await handle.stat()).size,
  );
  await rename(draft, file);
  await withSync(path.dirname(file), async () => {});
  return size;
}

async function withSync<T>(
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
