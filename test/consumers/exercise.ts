// Program of a user: calls each feature of a client over a connection, and a
// generated server in memory. The runner replaces ".js" in these two imports by the suffix under test.
import { createDrive, isApiError } from "./generated/drive/v3/index.js";
import type { File } from "./generated/drive/v3/index.js";
import { memoryTransport } from "./generated/runtime/client/memory.js";
import { createDriveServer } from "./generated/drive/v3/server.js";

function check(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Error(`not true: ${message}`);
}

/** Bytes of a chunk, the smallest size of the protocol. */
const CHUNK = 256 * 1024;

/** Lists, uploads, downloads, batches, waits and deletes; returns "ok". */
export async function exercise(rootUrl: string): Promise<string> {
  const drive = createDrive({ rootUrl, auth: "token" });

  const page = await drive.files.list({
    pageSize: 2,
    fields: "nextPageToken,files(id,name)",
  });
  check(page.files?.length === 2, "a page has two files");
  check(page.nextPageToken !== undefined, "another page follows");
  const ids = new Set<string>();
  for await (const file of drive.files.list({
    pageSize: 2,
    fields: "files(id)",
  }))
    ids.add(file.id!);
  check(ids.size > 2, "iteration has files of several pages");

  const simple = await drive.files.create({
    requestBody: { name: "note.txt" },
    media: { body: "grüße", mimeType: "text/plain" },
  });
  check(simple.name === "note.txt", "the simple upload has metadata");
  const note = await drive.files.get({ fileId: simple.id! }).media();
  check((await note.text()) === "grüße", "the content is that of the upload");

  const bytes = new Uint8Array(2 * CHUNK + 1000).map((_, index) => index % 251);
  const progress: number[] = [];
  const large: File = await drive.files.create(
    {
      requestBody: { name: "large.bin" },
      media: { body: bytes, mimeType: "application/octet-stream" },
    },
    {
      upload: "resumable",
      chunkSize: CHUNK,
      onProgress: ({ loaded }) => progress.push(loaded),
    },
  );
  check(progress.includes(CHUNK), "the first chunk is complete");
  check(progress.at(-1) === bytes.length, "the last chunk is complete");
  const content = await drive.files.get({ fileId: large.id! }).media();
  const copy = await content.bytes();
  check(
    copy.length === bytes.length &&
      copy.every((value, index) => value === bytes[index]),
    "the download has the bytes of the resumable upload",
  );

  const [first, second] = await drive.batch([
    drive.files.get({ fileId: simple.id! }),
    drive.files.get({ fileId: large.id! }),
  ]);
  check(first.name === "note.txt", "the first part has its file");
  check(second.name === "large.bin", "the second part has its file");

  await drive.files.download({ fileId: large.id! }).wait();
  for (const { id } of [simple, large])
    await drive.files.delete({ fileId: id! });
  const error: unknown = await drive.files
    .get({ fileId: large.id! })
    .then(undefined, (reason: unknown) => reason);
  check(isApiError(error) && error.status === 404, "deleted files are 404");

  await exerciseServer();
  return "ok";
}

/** Calls a generated server, whose operation is done at the second poll. */
async function exerciseServer(): Promise<void> {
  let polls = 0;
  const server = createDriveServer({
    files: {
      list: ({ params }) => ({ files: [{ name: `${params.pageSize}` }] }),
      download: () => ({ name: "operation" }),
    },
    operations: {
      get: ({ params }) =>
        ++polls < 2
          ? { name: params.name }
          : { name: params.name, done: true, response: { polls } },
    },
  });
  const drive = createDrive({ transport: memoryTransport(server) });
  const { files } = await drive.files.list({ pageSize: 7 });
  check(files?.[0]?.name === "7", "the server reads the parameter");
  const refused: unknown = await drive.files
    .list({ pageSize: 0 })
    .then(undefined, (reason: unknown) => reason);
  check(
    isApiError(refused) && refused.status === 400,
    "0 is below the minimum",
  );
  // The description declares no type of the result.
  const result = (await drive.files
    .download({ fileId: "a" })
    .wait({ interval: 10 })) as { polls?: number };
  check(result.polls === 2, "the operation was polled twice");
}
