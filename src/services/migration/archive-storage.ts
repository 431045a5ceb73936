import { createWriteStream } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import path from "node:path";
import { PassThrough, type Writable } from "node:stream";
import { loadWithPackage } from "../../platform/optional-package.js";
import type { Folders } from "./folders.js";

/** Destination of one archive. */
export interface ArchiveOutput {
  readonly stream: Writable;
  /** Makes the archive visible, after the stream has ended without an error. */
  publish(): Promise<void>;
  /** Removes an incomplete archive. Never rejects. */
  discard(): Promise<void>;
}

/** Storage of archives: a folder, or a bucket of an S3-compatible service. */
export interface ArchiveStorage {
  /** Starts to write an archive. It is visible only after `publish`. */
  create(name: string): ArchiveOutput;
  remove(name: string): Promise<void>;
  /**
   * Returns a URL from which anyone can download an archive until it expires;
   * undefined if the service itself sends archives.
   */
  presign(name: string, download: Download): Promise<string | undefined>;
  /**
   * Removes archives that are not in the store.
   *
   * @param knownNames names of the archives in the store, read before this call
   * @param age minimum age of removed archives in milliseconds
   * @param now current time in milliseconds since 1970
   */
  cleanUp(
    knownNames: ReadonlySet<string>,
    age: number,
    now: number,
  ): Promise<void>;
}

/** Properties of a presigned URL. */
export interface Download {
  /** Name of the file that browsers save. */
  readonly filename: string;
  /** Number of seconds for which the URL is valid. */
  readonly seconds: number;
  /** Start of the validity in milliseconds since 1970. */
  readonly now: number;
}

/** Returns the storage in the folder of the service. */
export function folderStorage(folders: Folders): ArchiveStorage {
  return {
    create(name) {
      const draft = path.join(folders.work, `${name}.draft`);
      return fileOutput(folders.archive(name), draft);
    },
    remove: (name) => rm(folders.archive(name), { force: true }),
    presign: async () => undefined,
    cleanUp: (names, age) => folders.cleanUp(names, age),
  };
}

/**
 * Writes a file to a temporary path, syncs it to disk and renames it.
 *
 * @param draft temporary path on the same file system as `file`
 */
export function fileOutput(file: string, draft: string): ArchiveOutput {
  return {
    stream: createWriteStream(draft),
    async publish() {
      await sync(draft);
      await rename(draft, file);
      await sync(path.dirname(file));
    },
    discard: () => rm(draft, { force: true }),
  };
}

async function sync(name: string): Promise<void> {
  const handle = await open(name, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * Bucket of an S3-compatible service. Credentials are those of the standard
 * variables and files of AWS (`AWS_ACCESS_KEY_ID`, …).
 */
export interface S3Config {
  readonly bucket: string;
  readonly region: string;
  /** Default: the endpoint of AWS for the region. */
  readonly endpoint: string | undefined;
  /** True to put the name of the bucket into the path, as MinIO requires. */
  readonly forcePathStyle: boolean;
  /** Start of the names of all objects, such as `archives/`. */
  readonly prefix: string;
}

/** Packages of the AWS SDK, which are optional peers. */
const load = {
  client: () =>
    loadWithPackage(
      "@aws-sdk/client-s3",
      "Storage of archives in S3",
      () => import("@aws-sdk/client-s3"),
    ),
  upload: () =>
    loadWithPackage(
      "@aws-sdk/lib-storage",
      "Storage of archives in S3",
      () => import("@aws-sdk/lib-storage"),
    ),
  presigner: () =>
    loadWithPackage(
      "@aws-sdk/s3-request-presigner",
      "Storage of archives in S3",
      () => import("@aws-sdk/s3-request-presigner"),
    ),
};

/** Size in bytes of a part of an upload. S3 allows 10,000 parts. */
const PART_BYTES = 16 * 1024 * 1024;

/**
 * Returns the storage in a bucket. Archives are uploaded in parts while they are
 * made, so they need no space on disk.
 *
 * @throws MissingPackageError if a package of the AWS SDK is not installed
 */
export async function s3Storage(config: S3Config): Promise<ArchiveStorage> {
  const {
    S3Client,
    DeleteObjectCommand,
    GetObjectCommand,
    paginateListObjectsV2,
  } = await load.client();
  const { Upload } = await load.upload();
  const { getSignedUrl } = await load.presigner();
  const { bucket: Bucket, region, endpoint, forcePathStyle, prefix } = config;
  const client = new S3Client({
    region,
    forcePathStyle,
    ...(endpoint === undefined ? {} : { endpoint }),
    // Several compatible services do not know the checksums that are optional.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
  });
  const keyOf = (name: string): string => prefix + path.basename(name);
  const remove = async (name: string): Promise<void> => {
    await client.send(new DeleteObjectCommand({ Bucket, Key: keyOf(name) }));
  };
  return {
    remove,
    create(name) {
      const stream = new PassThrough();
      const upload = new Upload({
        client,
        params: {
          Bucket,
          Key: keyOf(name),
          Body: stream,
          ContentType: "application/gzip",
        },
        partSize: PART_BYTES,
        queueSize: 2,
      });
      const done = upload.done();
      // The error is reported by `publish`; a failed upload also ends the
      // stream, so that the export does not wait for it.
      done.catch((error: unknown) => stream.destroy(error as Error));
      return {
        stream,
        publish: async () => void (await done),
        async discard() {
          stream.destroy();
          await upload.abort().catch(() => {});
          await done.catch(() => {});
        },
      };
    },
    presign: (name, { filename, seconds, now }) =>
      getSignedUrl(
        client,
        new GetObjectCommand({
          Bucket,
          Key: keyOf(name),
          ResponseContentType: "application/gzip",
          ResponseContentDisposition: `attachment; filename="${filename}"`,
          ResponseCacheControl: "private, no-store",
        }),
        { expiresIn: seconds, signingDate: new Date(now) },
      ),
    async cleanUp(knownNames, age, now) {
      const pages = paginateListObjectsV2(
        { client },
        { Bucket, Prefix: prefix },
      );
      for await (const { Contents = [] } of pages)
        for (const { Key = "", LastModified } of Contents) {
          const name = Key.slice(prefix.length);
          const isOld = Number(LastModified) <= now - age;
          if (ARCHIVE_NAME.test(name) && !knownNames.has(name) && isOld)
            await remove(name);
        }
    },
  };
}

/** Names of archives. Other objects in the bucket are never removed. */
const ARCHIVE_NAME = /^\d{1,15}(?:-\d{1,9})?\.tar\.gz$/;
