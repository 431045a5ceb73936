import { readdirSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import {
  CreateBucketCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from "@aws-sdk/client-s3";
import { beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { s3Storage } from "../../src/services/migration/archive-storage.js";
import { writeArchive } from "../../src/services/migration/archive-writer.js";
import { freePort } from "../support/postgres.js";
import { temporaryFolder } from "../support/paths.js";
import {
  call,
  download,
  makeRepository,
  migrate,
  serve,
  temporary,
  unpack,
} from "./migration-support.js";

/** The S3 server s3rver. It has no types. */
const S3rver = createRequire(import.meta.url)("s3rver") as new (options: {
  readonly port: number;
  readonly address: string;
  readonly silent: boolean;
  readonly directory: string;
  readonly configureBuckets: readonly { readonly name: string }[];
}) => { run(): Promise<unknown>; close(): Promise<void> };

/**
 * URL of another S3 server, such as MinIO, for which the standard variables
 * contain credentials. Unlike s3rver, such servers check signatures.
 */
const { S3_TEST_ENDPOINT } = process.env;

beforeAll(() => {
  if (S3_TEST_ENDPOINT !== undefined) return;
  vi.stubEnv("AWS_ACCESS_KEY_ID", "S3RVER");
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", "S3RVER");
});

/** Starts s3rver; returns its URL. */
async function s3rver(): Promise<string> {
  const port = await freePort();
  const server = new S3rver({
    port,
    address: "127.0.0.1",
    silent: true,
    directory: temporaryFolder(),
    configureBuckets: [],
  });
  await server.run();
  onTestFinished(() => server.close());
  return `http://127.0.0.1:${port}`;
}

/** Creates a bucket; returns its settings and a client. */
async function s3() {
  const endpoint = S3_TEST_ENDPOINT ?? (await s3rver());
  const region = "us-east-1";
  const client = new S3Client({ endpoint, region, forcePathStyle: true });
  const bucket = `archives-${process.hrtime.bigint()}`;
  await client.send(new CreateBucketCommand({ Bucket: bucket }));
  const settings = {
    bucket,
    region,
    endpoint,
    forcePathStyle: true,
    prefix: "exports/",
  };
  const keys = async (): Promise<string[]> => {
    const command = new ListObjectsV2Command({ Bucket: bucket });
    const { Contents = [] } = await client.send(command);
    return Contents.map(({ Key = "" }) => Key);
  };
  return { settings, client, keys };
}

test("archives are stored in a bucket and downloaded by presigned URLs", async () => {
  const { settings, keys, client } = await s3();
  const { folder: root, remove } = temporary();
  onTestFinished(remove);
  makeRepository(root, "acme", "alpha");
  const folder = temporaryFolder();
  const host = await serve(root, folder, { archives: { s3: settings } });
  onTestFinished(() => host.close());
  const { state } = await migrate(host, { repositories: ["alpha"] });
  expect(state).toBe("exported");
  expect(await keys()).toEqual(["exports/1-1.tar.gz"]);
  expect(readdirSync(path.join(folder, "archives"))).toEqual([]);

  const target = "/orgs/acme/migrations/1/archive";
  const { headers } = await call(host, "GET", target);
  const location = headers.get("location")!;
  expect(location.startsWith(`${settings.endpoint}/${settings.bucket}/`)).toBe(
    true,
  );
  expect(location).not.toContain("secret");
  const response = await fetch(location);
  expect(response.headers.get("content-disposition")).toMatch(
    /^attachment; filename="migration-[-0-9a-f]+\.tar\.gz"$/,
  );
  expect(response.headers.get("content-type")).toBe("application/gzip");
  const names = [...(await unpack(await download(host, 1))).keys()];
  expect(names).toContain("repositories/alpha.bundle");
  if (S3_TEST_ENDPOINT !== undefined)
    for (const changed of [
      location.replace("Signature=", "Signature=0"),
      location.replace("1-1.tar.gz", "2-1.tar.gz"),
    ])
      expect((await fetch(changed)).status).toBe(403);
  const { searchParams } = new URL(location);
  expect(searchParams.get("X-Amz-Expires")).toBe("300");
  expect(searchParams.get("X-Amz-Signature")).toMatch(/^[0-9a-f]{64}$/);

  // Other objects of the bucket remain.
  for (const Key of ["exports/notes.txt", "9-1.tar.gz"])
    await client.send(
      new PutObjectCommand({ Bucket: settings.bucket, Key, Body: "x" }),
    );
  const deletion = await call(host, "DELETE", target);
  expect(deletion.status).toBe(204);
  expect(await keys()).toEqual(["9-1.tar.gz", "exports/notes.txt"]);
  expect((await fetch(location)).status).toBe(404);
});

test("large archives are uploaded in parts, byte for byte", async () => {
  const { settings, client } = await s3();
  const storage = await s3Storage(settings);
  // Random bytes can't be compressed, so the archive has three parts.
  const text = Buffer.from(
    Array.from({ length: 40 }, () =>
      crypto.getRandomValues(new Uint8Array(65_536)),
    ).flatMap((part) => [...part]),
  ).toString("base64");
  const size = await writeArchive(
    {
      output: storage.create("7-1.tar.gz"),
      progress: { bytes: 0, repositories: 0 },
      time: new Date(0),
      limit: 1e9,
      signal: new AbortController().signal,
    },
    async (writer) => {
      for (let count = 0; count < 14; count++)
        await writer.json(`${count}.json`, text);
    },
  );
  expect(size).toBeGreaterThan(33 * 1024 * 1024);
  const { Body, ContentLength } = await client.send(
    new GetObjectCommand({
      Bucket: settings.bucket,
      Key: "exports/7-1.tar.gz",
    }),
  );
  expect(ContentLength).toBe(size);
  const files = await unpack(await Body!.transformToByteArray());
  expect(files.size).toBe(14);
  for (const content of files.values())
    expect(JSON.parse(content.toString())).toBe(text);
});

test("failed and aborted archives leave nothing in the bucket", async () => {
  const { settings, keys } = await s3();
  const storage = await s3Storage(settings);
  const controller = new AbortController();
  const write = (
    name: string,
    limit: number,
    fill: Parameters<typeof writeArchive>[1],
  ): Promise<number> =>
    writeArchive(
      {
        output: storage.create(name),
        progress: { bytes: 0, repositories: 0 },
        time: new Date(0),
        limit,
        signal: controller.signal,
      },
      fill,
    );
  await expect(
    write("1-1.tar.gz", 1e9, async (writer) => {
      await writer.json("a.json", "a");
      throw new Error("broken");
    }),
  ).rejects.toThrow("broken");
  await expect(
    write("2-1.tar.gz", 10, (writer) => writer.json("a.json", "a")),
  ).rejects.toThrow("larger than 10 bytes");
  await expect(
    write("3-1.tar.gz", 1e9, async (writer) => {
      await writer.json("a.json", "a");
      controller.abort();
      await writer.json("b.json", "b");
    }),
  ).rejects.toThrow();
  expect(await keys()).toEqual([]);
});

test("archives without a record are removed from the bucket", async () => {
  const { settings, client, keys } = await s3();
  const storage = await s3Storage(settings);
  for (const name of ["1-1.tar.gz", "2-1.tar.gz"])
    await client.send(
      new PutObjectCommand({
        Bucket: settings.bucket,
        Key: settings.prefix + name,
        Body: "x",
      }),
    );
  const known = new Set(["1-1.tar.gz"]);
  await storage.cleanUp(known, 60_000, Date.now());
  expect(await keys()).toHaveLength(2);
  await storage.cleanUp(known, 60_000, Date.now() + 120_000);
  expect(await keys()).toEqual(["exports/1-1.tar.gz"]);
});

test("an unreachable storage fails the export, not the service", async () => {
  const { folder: root, remove } = temporary();
  onTestFinished(remove);
  makeRepository(root, "acme", "alpha");
  const endpoint = `http://127.0.0.1:${await freePort()}`;
  const archives = {
    s3: { bucket: "archives", endpoint, forcePathStyle: true },
  };
  const host = await serve(root, undefined, { archives, attempts: 1 }).catch(
    (error: Error) => error,
  );
  if (host instanceof Error) throw host;
  onTestFinished(() => host.close());
  const { state } = await migrate(host, { repositories: ["alpha"] });
  expect(state).toBe("failed");
});
