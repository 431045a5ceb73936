import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import type {
  Incoming,
  Outgoing,
} from "../../../generated/runtime/server/index.js";
import { writeContent } from "../../../generated/runtime/server/responses/download.js";
import { audit } from "../audit.js";
import type { LogLine } from "../service.js";
import type { Store } from "../store/store.js";
import type { ArchiveStorage } from "./archive-storage.js";
import { errorResponse } from "./error-response.js";
import type { Folders } from "./folders.js";
import { idKey, TABLES, type ArchiveRecord } from "./records.js";
import { isSigned, readTarget, signTarget } from "./signed-url.js";

/** Store, folders, clock, log and settings for {@link Archives}. */
export interface ArchiveContext {
  readonly store: Store;
  readonly folders: Folders;
  readonly storage: ArchiveStorage;
  /** Returns the time by a clock that all processes share. */
  readonly time: () => Promise<number>;
  readonly log: (line: LogLine) => void;
  readonly secret: string;
  /** Number of seconds for which a download URL is valid. */
  readonly urlSeconds: number;
  /** Milliseconds between the creation of an archive and its deletion. */
  readonly lifetime: number;
}

/** Class that serves stored archives and deletes expired ones. */
export class Archives {
  readonly #context: ArchiveContext;

  constructor(context: ArchiveContext) {
    this.#context = context;
  }

  /**
   * Returns the download URL for the archive of a migration: an absolute URL of
   * the storage, or the path and query of a URL of this service. Returns
   * undefined if the migration has no archive.
   */
  async target(org: string, id: number): Promise<string | undefined> {
    const { secret, urlSeconds, storage } = this.#context;
    const now = await this.#context.time();
    const archive = await this.#find(id, now);
    if (archive?.org !== org) return undefined;
    const url = await storage.presign(fileOf(id, archive), {
      filename: filenameOf(archive),
      seconds: urlSeconds,
      now,
    });
    if (url !== undefined) return url;
    const expires = Math.floor(now / 1000) + urlSeconds;
    return signTarget(secret, { id, guid: archive.guid }, expires);
  }

  /**
   * Deletes the archive of a migration. Its record is removed from the store
   * first, so that no download starts during the deletion.
   *
   * @returns false if the migration has no archive
   */
  async delete(org: string, id: number): Promise<boolean> {
    const archive = await this.#find(id, await this.#context.time());
    return archive?.org === org && (await this.#remove(id));
  }

  /**
   * Deletes expired archives and unused files.
   *
   * @param age milliseconds after which unused files of other processes are
   *   deleted
   */
  async sweep(age: number): Promise<void> {
    const { store, storage, time } = this.#context;
    const now = await time();
    const archives = await store.list<ArchiveRecord>(TABLES.archives);
    for (const { key, value } of archives)
      if (this.#isExpired(value, now)) await this.#expire(Number(key), value);
    const names = archives.map(({ key, value }) => fileOf(Number(key), value));
    await storage.cleanUp(new Set(names), age, now);
  }

  /**
   * Handles a download. A valid signed URL is sufficient; a token is not
   * required.
   */
  async download(request: Incoming): Promise<Outgoing> {
    const { folders, secret, time } = this.#context;
    const signedTarget = readTarget(request.target);
    if (signedTarget === undefined) return notFound();
    const now = await time();
    if (signedTarget.expires * 1000 <= now) return notFound();
    const archive = await this.#find(signedTarget.id, now);
    if (archive === undefined || !isSigned(secret, archive.guid, signedTarget))
      return notFound();
    if (request.method !== "GET" && request.method !== "HEAD")
      return errorResponse(405, "Method Not Allowed", { allow: "GET, HEAD" });
    const file = folders.archive(fileOf(signedTarget.id, archive));
    const stats = await stat(file).catch(() => undefined);
    if (stats?.size !== archive.size) return notFound();
    return contentOf(file, archive, request);
  }

  #isExpired({ createdAt }: ArchiveRecord, now: number): boolean {
    return createdAt + this.#context.lifetime <= now;
  }

  /**
   * Returns the archive of a migration. If the archive has expired, deletes it
   * and returns undefined.
   */
  async #find(id: number, now: number): Promise<ArchiveRecord | undefined> {
    const archive = await this.#context.store.get<ArchiveRecord>(
      TABLES.archives,
      idKey(id),
    );
    if (archive === undefined || !this.#isExpired(archive, now)) return archive;
    await this.#expire(id, archive);
    return undefined;
  }

  async #expire(id: number, { org }: ArchiveRecord): Promise<void> {
    if (await this.#remove(id))
      audit(this.#context.log, {
        service: "migration",
        action: "migration.retention.archive",
        actor: "retention",
        target: `${org}/${id}`,
        before: "archive",
      });
  }

  async #remove(id: number): Promise<boolean> {
    const { store, storage } = this.#context;
    const key = idKey(id);
    const archive = await store.transaction(async (transaction) => {
      const record = await transaction.get<ArchiveRecord>(TABLES.archives, key);
      if (record !== undefined) transaction.delete(TABLES.archives, key);
      return record;
    });
    if (archive === undefined) return false;
    // The archive can no longer be downloaded from this service. If the storage
    // fails, a later sweep removes it.
    await storage.remove(fileOf(id, archive)).catch(() => {});
    return true;
  }
}

function fileOf(id: number, { file }: ArchiveRecord): string {
  return file ?? `${id}.tar.gz`;
}

/** Returns the name of the file that a client saves. */
function filenameOf({ guid }: Pick<ArchiveRecord, "guid">): string {
  return `migration-${guid}.tar.gz`;
}

function contentOf(
  file: string,
  { guid, size }: ArchiveRecord,
  request: Incoming,
): Outgoing {
  try {
    return writeContent(
      {
        // Some clients decode a body as text if the media type is a text type
        // or has a charset.
        contentType: "application/gzip",
        size,
        etag: `"${guid}"`,
        headers: {
          "cache-control": "private, no-store",
          "content-disposition": `attachment; filename="${filenameOf({ guid })}"`,
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
    return errorResponse(status, message, extras?.headers);
  }
}

async function* read(
  file: string,
  start: number,
  end: number,
): AsyncGenerator<Uint8Array> {
  if (start < end) yield* createReadStream(file, { start, end: end - 1 });
}

/**
 * Returns the 404 for forged, expired, deleted and unknown URLs. The response
 * must not reveal which of these cases applies.
 */
function notFound(): Outgoing {
  return errorResponse(404, "Not Found");
}
