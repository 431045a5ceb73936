/* eslint-disable */
// biome-ignore-all lint: generated

import type {
  StoredResponse,
  UploadSession,
  UploadState,
  UploadStore,
} from "./contract.js";
import { uploadNotFound } from "./errors.js";

/** Members of Node's `FileHandle` that the store uses. */
interface OpenFile {
  write(bytes: Uint8Array): Promise<unknown>;
  close(): Promise<void>;
  createReadStream(): AsyncIterable<Uint8Array>;
}

/** Members of the module `node:fs/promises` that the store uses. */
export interface FileSystem {
  mkdir(path: string, options: { recursive: true }): Promise<unknown>;
  readFile(path: string, encoding: "utf8"): Promise<string>;
  writeFile(path: string, text: string): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  stat(
    path: string,
  ): Promise<{ readonly size: number; readonly mtimeMs: number }>;
  open(path: string, flags: string): Promise<unknown>;
  readdir(path: string): Promise<readonly string[]>;
  rm(path: string, options: { recursive: true; force: true }): Promise<void>;
}

/** Options of the file store. */
export interface FileUploadOptions {
  /** The module `node:fs/promises`. */
  readonly fs: FileSystem;
  /** Directory for the uploads. It is created if it is missing. */
  readonly folder: string;
  /**
   * Time of inactivity in milliseconds after which an upload expires. Default:
   * one week.
   */
  readonly maxAge?: number;
}

/**
 * Name of the file that contains the response. It must not change, because
 * stored uploads use it.
 */
const RESPONSE = "answer";

/**
 * Matches IDs that the server generates. Other values must not become part of a
 * file path.
 */
const ID = /^[0-9a-f]{32}$/;

/**
 * Returns a store that keeps uploads in files. Each upload has a directory,
 * which contains its session, content and response. Uploads are preserved when
 * the server restarts.
 */
export function fileUploads({
  fs,
  folder,
  maxAge = 7 * 24 * 3_600_000,
}: FileUploadOptions): UploadStore {
  const filePath = (id: string, name: string): string =>
    `${folder}/${id}/${name}`;
  const open = (id: string, flags: string): Promise<OpenFile> =>
    fs.open(filePath(id, "content"), flags) as Promise<OpenFile>;
  const write = async (
    id: string,
    name: string,
    value: unknown,
  ): Promise<void> => {
    // The content is written to a temporary file, which is then renamed, so
    // that an existing file is always complete.
    await fs.writeFile(filePath(id, `${name}.part`), JSON.stringify(value));
    await fs.rename(filePath(id, `${name}.part`), filePath(id, name));
  };
  const read = async <T>(id: string, name: string): Promise<T | undefined> => {
    try {
      return JSON.parse(await fs.readFile(filePath(id, name), "utf8")) as T;
    } catch {
      return undefined;
    }
  };
  const remove = (id: string): Promise<void> =>
    fs.rm(`${folder}/${id}`, { recursive: true, force: true });
  /**
   * Returns the modification time of an upload's content, or of its directory
   * if the content is missing after a crash.
   */
  const changedAt = async (id: string): Promise<number> => {
    const path = filePath(id, "content");
    const stats = await fs.stat(path).catch(() => fs.stat(`${folder}/${id}`));
    return stats.mtimeMs;
  };
  let swept = -Infinity;
  /**
   * Removes expired uploads. Runs at most ten times within `maxAge`, to save
   * time.
   */
  const sweep = async (): Promise<void> => {
    const now = Date.now();
    if (now - swept < maxAge / 10) return;
    swept = now;
    for (const id of await fs.readdir(folder)) {
      if (!ID.test(id)) continue;
      if ((await changedAt(id)) < now - maxAge) await remove(id);
    }
  };
  return {
    async create(session) {
      // The removal is not awaited, because it can take long if the directory
      // contains many uploads.
      void sweep().catch(() => {});
      await fs.mkdir(`${folder}/${session.id}`, { recursive: true });
      await fs.writeFile(filePath(session.id, "content"), "");
      await write(session.id, "session", session);
    },
    async find(id): Promise<UploadState | undefined> {
      if (!ID.test(id)) return undefined;
      const session = await read<UploadSession>(id, "session");
      if (session === undefined) return undefined;
      const content = await fs
        .stat(filePath(id, "content"))
        .catch(() => undefined);
      if (content === undefined) return undefined;
      const { size, mtimeMs } = content;
      if (mtimeMs < Date.now() - maxAge) return void (await remove(id));
      return {
        session,
        size,
        response: await read<StoredResponse>(id, RESPONSE),
      };
    },
    async append(id, chunks) {
      const file = await open(id, "a");
      try {
        for await (const chunk of chunks) await file.write(chunk);
      } finally {
        await file.close();
      }
      const content = await fs
        .stat(filePath(id, "content"))
        .catch(() => undefined);
      // Another request can have removed the upload since it was last checked.
      if (content === undefined) throw uploadNotFound();
      return content.size;
    },
    async *read(id) {
      // The stream closes the file, even if it is not read completely.
      yield* (await open(id, "r")).createReadStream();
    },
    async finish(id, response) {
      const isKept = await fs.stat(filePath(id, "content")).then(
        () => true,
        () => false,
      );
      if (!isKept) return;
      await write(id, RESPONSE, response);
      await fs.writeFile(filePath(id, "content"), "");
    },
    remove,
  };
}
