import { createReadStream } from "node:fs";
import { rm, stat } from "node:fs/promises";
import type {
  Incoming,
  Outgoing,
} from "../../../generated/runtime/server/index.js";
import { writeContent } from "../../../generated/runtime/server/responses/download.js";
import type { LogLine } from "../service.js";
import type { Store } from "../store/store.js";
import { failure } from "./failure.js";
import type { Folders } from "./folders.js";
import { idKey, TABLES, type ArchiveRecord } from "./records.js";
import { isSigned, readTarget, signTarget } from "./signed-url.js";

/** Milliseconds for which an archive is kept. */
export const LIFETIME = 7 * 24 * 60 * 60 * 1000;

/** What archives need of the service. */
export interface ArchiveContext {
  readonly store: Store;
  readonly folders: Folders;
  readonly now: () => number;
  readonly log: (line: LogLine) => void;
  readonly secret: string;
  /** For which a URL works. */
  readonly urlSeconds: number;
}

/** Archives from their export to their deletion, and their downloads. */
export class Archives {
  readonly #context: ArchiveContext;

  constructor(context: ArchiveContext) {
    this.#context = context;
  }

  /** Path and query under which the archive of a migration can be fetched; undefined where there is none. */
  async target(org: string, id: number): Promise<string | undefined> {
    const { now, secret, urlSeconds } = this.#context;
    const archive = await this.#find(id);
    if (archive?.org !== org) return undefined;
    const expires = Math.floor(now() / 1000) + urlSeconds;
    return signTarget(secret, { id, guid: archive.guid }, expires);
  }

  /**
   * Deletes an archive. The store forgets it first, so that nobody gets half of it.
   *
   * @returns false where there is none
   */
  async delete(org: string, id: number): Promise<boolean> {
    const archive = await this.#find(id);
    return archive?.org === org && (await this.#forget(id));
  }

  /**
   * Deletes the archives whose time has come, and files that nobody needs.
   *
   * @param age milliseconds after which files of other processes are not needed
   */
  async sweep(age: number): Promise<void> {
    const all = await this.#context.store.list<ArchiveRecord>(TABLES.archives);
    for (const { key, value } of all)
      if (this.#isOver(value)) await this.#expire(Number(key));
    const names = all.map(({ key, value }) => fileOf(Number(key), value));
    await this.#context.folders.tend(new Set(names), age);
  }

  /** Answers a request for the content of an archive. Whoever has a good URL may. */
  async download(request: Incoming): Promise<Outgoing> {
    const { folders, secret, now } = this.#context;
    const ticket = readTarget(request.target);
    if (ticket === undefined || ticket.expires * 1000 <= now())
      return notFound();
    const archive = await this.#find(ticket.id);
    if (archive === undefined || !isSigned(secret, archive.guid, ticket))
      return notFound();
    if (request.method !== "GET" && request.method !== "HEAD")
      return failure(405, "Method Not Allowed", { allow: "GET, HEAD" });
    const file = folders.archive(fileOf(ticket.id, archive));
    const onDisk = await stat(file).catch(() => undefined);
    if (onDisk?.size !== archive.size) return notFound();
    return contentOf(file, archive, request);
  }

  #isOver({ createdAt }: ArchiveRecord): boolean {
    return createdAt + LIFETIME <= this.#context.now();
  }

  /** An archive that is there still; one whose time has come goes now. */
  async #find(id: number): Promise<ArchiveRecord | undefined> {
    const archive = await this.#context.store.get<ArchiveRecord>(
      TABLES.archives,
      idKey(id),
    );
    if (archive === undefined || !this.#isOver(archive)) return archive;
    await this.#expire(id);
    return undefined;
  }

  async #expire(id: number): Promise<void> {
    if (await this.#forget(id))
      this.#context.log({
        service: "migration",
        event: "archive expired",
        migration: id,
      });
  }

  async #forget(id: number): Promise<boolean> {
    const { store, folders } = this.#context;
    const key = idKey(id);
    const archive = await store.transaction(async (transaction) => {
      const found = await transaction.get<ArchiveRecord>(TABLES.archives, key);
      if (found !== undefined) transaction.delete(TABLES.archives, key);
      return found;
    });
    if (archive === undefined) return false;
    await rm(folders.archive(fileOf(id, archive)), { force: true });
    return true;
  }
}

function fileOf(id: number, { file }: ArchiveRecord): string {
  return file ?? `${id}.tar.gz`;
}

function contentOf(
  file: string,
  { guid, size }: ArchiveRecord,
  request: Incoming,
): Outgoing {
  try {
    return writeContent(
      {
        // No text type and no charset: some clients would decode the bytes.
        contentType: "application/gzip",
        size,
        etag: `"${guid}"`,
        headers: {
          "cache-control": "private, no-store",
          "content-disposition": `attachment; filename="migration-${guid}.tar.gz"`,
          "x-content-type-options": "nosniff",
        },
        body: (start, end = size) => read(file, start, end),
      },
      request,
    );
  } catch (error) {
    const { status, message, extras } = error as {
      status?: number;
      message: string;
      extras?: { headers?: Record<string, string> };
    };
    if (status === undefined) throw error;
    return failure(status, message, extras?.headers);
  }
}

async function* read(
  file: string,
  start: number,
  end: number,
): AsyncGenerator<Uint8Array> {
  if (start < end) yield* createReadStream(file, { start, end: end - 1 });
}

/** One text for what is forged, over, deleted or unknown: nobody learns which. */
function notFound(): Outgoing {
  return failure(404, "Not Found");
}
