/* eslint-disable */
// biome-ignore-all lint: generated

import type {
  StoredResponse,
  UploadSession,
  UploadState,
  UploadStore,
} from "./contract.js";
import { uploadNotFound } from "./errors.js";

/** An open file, as far as uploads need it. */
interface OpenFile {
  write(bytes: Uint8Array): Promise<unknown>;
  close(): Promise<void>;
  createReadStream(): AsyncIterable<Uint8Array>;
}

/** What the store uses of `node:fs/promises`; give it that module. */
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

/** Settings of the store in files. */
export interface FileUploadOptions {
  /** `node:fs/promises`. */
  readonly fs: FileSystem;
  /** Folder for the uploads, made where it does not exist. */
  readonly folder: string;
  /** Milliseconds after which an upload that nobody touches is forgotten. Default: a week. */
  readonly maxAge?: number;
}

/** Ids are made by the server; nothing else becomes part of a path. */
const ID = /^[0-9a-f]{32}$/;

/**
 * Keeps uploads in files: a folder for each, with the session, the bytes that
 * arrived, and the answer at the end. Survives a restart.
 */
export function fileUploads({
  fs,
  folder,
  maxAge = 7 * 24 * 3_600_000,
}: FileUploadOptions): UploadStore {
  const at = (id: string, name: string): string => `${folder}/${id}/${name}`;
  const open = (id: string, flags: string): Promise<OpenFile> =>
    fs.open(at(id, "content"), flags) as Promise<OpenFile>;
  const write = async (
    id: string,
    name: string,
    value: unknown,
  ): Promise<void> => {
    // A name that is there is whole.
    await fs.writeFile(at(id, `${name}.part`), JSON.stringify(value));
    await fs.rename(at(id, `${name}.part`), at(id, name));
  };
  const read = async <T>(id: string, name: string): Promise<T | undefined> => {
    try {
      return JSON.parse(await fs.readFile(at(id, name), "utf8")) as T;
    } catch {
      return undefined;
    }
  };
  const remove = (id: string): Promise<void> =>
    fs.rm(`${folder}/${id}`, { recursive: true, force: true });
  /** Time of the last change; of the folder, where a crash left no content. */
  const changedAt = async (id: string): Promise<number> => {
    const path = at(id, "content");
    const found = await fs.stat(path).catch(() => fs.stat(`${folder}/${id}`));
    return found.mtimeMs;
  };
  let swept = -Infinity;
  /** Removes uploads that nobody touches any more; at most once in a tenth of their age. */
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
      // In the background: a folder may hold many.
      void sweep().catch(() => {});
      await fs.mkdir(`${folder}/${session.id}`, { recursive: true });
      await fs.writeFile(at(session.id, "content"), "");
      await write(session.id, "session", session);
    },
    async find(id): Promise<UploadState | undefined> {
      if (!ID.test(id)) return undefined;
      const session = await read<UploadSession>(id, "session");
      if (session === undefined) return undefined;
      const content = await fs.stat(at(id, "content")).catch(() => undefined);
      if (content === undefined) return undefined;
      const { size, mtimeMs } = content;
      if (mtimeMs < Date.now() - maxAge) return void (await remove(id));
      return {
        session,
        size,
        response: await read<StoredResponse>(id, "answer"),
      };
    },
    async append(id, chunks) {
      const file = await open(id, "a");
      try {
        for await (const chunk of chunks) await file.write(chunk);
      } finally {
        await file.close();
      }
      const content = await fs.stat(at(id, "content")).catch(() => undefined);
      // Another request may have removed it meanwhile.
      if (content === undefined) throw uploadNotFound();
      return content.size;
    },
    async *read(id) {
      // The stream closes the file at its end, and where it is left.
      yield* (await open(id, "r")).createReadStream();
    },
    async finish(id, answer) {
      const isKept = await fs.stat(at(id, "content")).then(
        () => true,
        () => false,
      );
      if (!isKept) return;
      await write(id, "answer", answer);
      await fs.writeFile(at(id, "content"), "");
    },
    remove,
  };
}
