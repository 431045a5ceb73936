import { createHash } from "node:crypto";
import path from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { Storage, type Bucket } from "@google-cloud/storage";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { mock } from "../../../src/index.js";
import { CORPUS } from "../../corpus/support.js";
import { contentOf, ODD } from "./content.js";
import { startServers, type Running } from "./servers.js";
import { describeOfficial } from "./suite.js";

/** Bytes of a chunk; longer uploads take several requests. */
const CHUNK = 256 * 1024;

describeOfficial("@google-cloud/storage (npm)", undefined, () => {
  let running: Running;
  let storage: Storage;
  let bucket: Bucket;

  beforeAll(async () => {
    running = await startServers();
    const apiEndpoint = running.rootUrls["storage.v1"].slice(0, -1);
    storage = new Storage({
      apiEndpoint,
      projectId: "p",
      retryOptions: { autoRetry: false },
    });
    [bucket] = await storage.createBucket("cloud");
  });
  afterAll(async () => {
    await running?.close();
  });

  const codeOf = (work: Promise<unknown>): Promise<unknown> =>
    work.then(
      () => "no error",
      (error: { code?: unknown }) => error.code,
    );

  test("finds buckets, and refuses duplicates", async () => {
    const [found] = await storage.getBuckets();
    expect(found.map(({ name }) => name)).toEqual(["cloud"]);
    expect(await bucket.exists()).toEqual([true]);
    expect(await storage.bucket("none").exists()).toEqual([false]);
    expect(await codeOf(storage.createBucket("cloud"))).toBe(409);
  });

  test("a simple upload, with validation", async () => {
    const bytes = contentOf(999);
    const file = bucket.file("simple");
    await file.save(bytes, { resumable: false, contentType: "image/png" });
    const [metadata] = await file.getMetadata();
    expect(metadata).toMatchObject({ contentType: "image/png", size: "999" });
    const md5 = createHash("md5").update(bytes).digest("base64");
    expect(metadata.md5Hash).toBe(md5);
    const [got] = await file.download({ validation: "crc32c" });
    expect(got).toEqual(bytes);
  });

  test("the default resumable upload, in one request of unknown length", async () => {
    const bytes = contentOf(2 * CHUNK + 999);
    const file = bucket.file(ODD);
    await file.save(bytes, {
      resumable: true,
      validation: "crc32c",
      metadata: { metadata: { key: "naïve" } },
    });
    const [metadata] = await file.getMetadata();
    expect(metadata).toMatchObject({
      name: ODD,
      size: String(bytes.length),
      metadata: { key: "naïve" },
    });
    const [got] = await file.download({ validation: "md5" });
    expect(got.equals(bytes)).toBe(true);
  });

  test("a resumable upload in chunks, from a stream", async () => {
    const bytes = contentOf(3 * CHUNK + 1);
    const file = bucket.file("chunks");
    const target = file.createWriteStream({
      resumable: true,
      chunkSize: CHUNK,
      validation: "md5",
    });
    await pipeline(Readable.from(pieces(bytes)), target);
    const [got] = await file.download();
    expect(got.equals(bytes)).toBe(true);
  });

  test("an empty file, with both protocols", async () => {
    for (const resumable of [false, true]) {
      const file = bucket.file(`empty ${resumable}`);
      await file.save("", { resumable });
      const [got] = await file.download();
      expect(got).toHaveLength(0);
      await file.delete();
    }
  });

  test("a range of a file", async () => {
    const stream = bucket.file("chunks").createReadStream({
      start: 10,
      end: 99,
    });
    const parts: Buffer[] = [];
    for await (const part of stream) parts.push(part as Buffer);
    const bytes = contentOf(3 * CHUNK + 1);
    expect(Buffer.concat(parts)).toEqual(bytes.subarray(10, 100));
  });

  test("does not overwrite a file that was replaced", async () => {
    const file = bucket.file("simple");
    const late = file.save("late", {
      resumable: false,
      preconditionOpts: { ifGenerationMatch: 0 },
    });
    expect(await codeOf(late)).toBe(412);
    const [got] = await file.download();
    expect(got).toEqual(contentOf(999));
  });

  test("changes metadata, and copies a file", async () => {
    const file = bucket.file("simple");
    await file.setMetadata({ metadata: { a: "b" } });
    const [copied] = await file.copy(bucket.file("copies/ä"));
    const [metadata] = await copied.getMetadata();
    expect(metadata).toMatchObject({ name: "copies/ä", metadata: { a: "b" } });
    await copied.delete();
    expect(await copied.exists()).toEqual([false]);
  });

  test("lists all pages and folders", async () => {
    const [all] = await bucket.getFiles({ maxResults: 1, autoPaginate: true });
    expect(all).toHaveLength(1);
    const names: string[] = [];
    for await (const file of bucket.getFilesStream({ maxResults: 3 }))
      names.push((file as { name: string }).name);
    expect(names.sort()).toEqual([ODD, "chunks", "simple"]);
    const [files, , answer] = await bucket.getFiles({
      delimiter: "/",
      autoPaginate: false,
    });
    expect(files.map(({ name }) => name)).toEqual(["chunks", "simple"]);
    expect(answer).toMatchObject({ prefixes: ["a folder/"] });
  });

  test("responds with 404 for missing files", async () => {
    expect(await codeOf(bucket.file("none").getMetadata())).toBe(404);
    expect(await codeOf(bucket.file("none").download())).toBe(404);
  });

  test("deletes an empty bucket", async () => {
    expect(await codeOf(bucket.delete())).toBe(409);
    await bucket.deleteFiles();
    await bucket.delete();
    expect(await bucket.exists()).toEqual([false]);
  });

  test("copies, composes and validates the files of a mock", async () => {
    const fake = await mock(path.join(CORPUS, "storage.v1.json"), {
      empty: true,
    });
    const { port } = await fake.listen(0);
    onTestFinished(() => fake.close());
    const apiEndpoint = `http://127.0.0.1:${port}`;
    const [files] = await new Storage({
      apiEndpoint,
      projectId: "p",
      retryOptions: { autoRetry: false },
    }).createBucket("fake");
    // The client compares crc32c by default, and deletes the file otherwise.
    await files.file("a").save("one,", { resumable: false });
    await files.file("b").save("two", { resumable: true });
    await files.file("a").copy(files.file("c"));
    await files.combine(["c", "b"], "all");
    const [bytes] = await files.file("all").download();
    expect(bytes.toString()).toBe("one,two");
    await files.deleteFiles();
    const [left] = await files.getFiles();
    expect(left).toEqual([]);
  });

  test("no server failed", () => {
    expect(running.crashes).toEqual([]);
  });
});

/** Splits content into chunks of odd lengths. */
function* pieces(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += 99_991)
    yield bytes.subarray(at, at + 99_991);
}
