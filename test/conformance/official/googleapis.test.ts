import { Readable } from "node:stream";
import { drive } from "googleapis/build/src/apis/drive/index.js";
import { pubsub } from "googleapis/build/src/apis/pubsub/index.js";
import { storage } from "googleapis/build/src/apis/storage/index.js";
import { tasks } from "googleapis/build/src/apis/tasks/index.js";
import { afterAll, beforeAll, expect, test } from "vitest";
import { contentOf, ODD } from "./content.js";
import { startServers, type Running } from "./servers.js";
import { describeOfficial } from "./suite.js";

/** The npm package googleapis; only these modules are loaded because it is large. */
describeOfficial("googleapis (npm)", undefined, () => {
  let running: Running;
  beforeAll(async () => {
    running = await startServers();
  });
  afterAll(async () => {
    await running?.close();
  });

  /** Options of a call; uploads take the URL only from here. */
  const at = (name: keyof Running["rootUrls"]) => ({
    rootUrl: running.rootUrls[name],
    retry: false,
  });
  const status = (work: Promise<unknown>): Promise<unknown> =>
    work.then(
      () => "no error",
      (error: { status?: unknown; message?: unknown }) => [
        error.status,
        error.message,
      ],
    );

  test("drive: a file without content, and a partial response", async () => {
    const { data } = await drive("v3").files.create(
      { requestBody: { name: "Naïve 漢字" }, fields: "id,name" },
      at("drive.v3"),
    );
    expect(data).toEqual({ id: data.id, name: "Naïve 漢字" });
  });

  test("drive: content with metadata, from a stream", async () => {
    const { files } = drive("v3");
    const bytes = contentOf(70_000);
    const made = await files.create(
      {
        requestBody: { name: "stream.bin" },
        media: { mimeType: "image/png", body: Readable.from([bytes]) },
      },
      at("drive.v3"),
    );
    expect(made.data).toMatchObject({ mimeType: "image/png", size: "70000" });
    const got = await files.get(
      { fileId: made.data.id!, alt: "media" },
      { ...at("drive.v3"), responseType: "arraybuffer" },
    );
    expect(Buffer.from(got.data as unknown as ArrayBuffer)).toEqual(bytes);
  });

  test("drive: replaces content", async () => {
    const { files } = drive("v3");
    const made = await files.create({}, at("drive.v3"));
    const fileId = made.data.id!;
    const { data } = await files.update(
      { fileId, media: { mimeType: "text/plain", body: "new" } },
      at("drive.v3"),
    );
    expect(data).toMatchObject({ id: fileId, size: "3" });
    const got = await files.get({ fileId, alt: "media" }, at("drive.v3"));
    expect(got.data).toBe("new");
    const gone = await files.delete({ fileId }, at("drive.v3"));
    expect(gone.status).toBe(204);
  });

  test("drive: pages", async () => {
    const { files } = drive("v3");
    for (const name of ["page 1", "page 2", "page 3"])
      await files.create({ requestBody: { name } }, at("drive.v3"));
    const names: unknown[] = [];
    let pageToken: string | undefined;
    do {
      const { data } = await files.list(
        {
          q: "name contains 'page'",
          pageSize: 2,
          ...(pageToken === undefined ? {} : { pageToken }),
        },
        at("drive.v3"),
      );
      names.push(...data.files!.map(({ name }) => name));
      pageToken = data.nextPageToken ?? undefined;
    } while (pageToken !== undefined);
    expect(names).toEqual(["page 1", "page 2", "page 3"]);
  });

  test("drive: errors", async () => {
    const get = drive("v3").files.get({ fileId: "none" }, at("drive.v3"));
    expect(await status(get)).toEqual([404, "File none was not found."]);
    const about = drive("v3").about.get({}, at("drive.v3"));
    expect(await status(about)).toEqual([
      400,
      "The 'fields' parameter is required.",
    ]);
  });

  test("storage: an object with a special name", async () => {
    const { buckets, objects } = storage("v1");
    await buckets.insert(
      { project: "p", requestBody: { name: "node" } },
      at("storage.v1"),
    );
    const bytes = contentOf(999);
    const made = await objects.insert(
      {
        bucket: "node",
        requestBody: { name: ODD, metadata: { key: "naïve" } },
        media: { mimeType: "image/png", body: Readable.from([bytes]) },
      },
      at("storage.v1"),
    );
    expect(made.data).toMatchObject({ name: ODD, size: "999" });
    const where = { bucket: "node", object: ODD };
    const { data } = await objects.get(where, at("storage.v1"));
    expect(data).toEqual(made.data);
    const got = await objects.get(
      { ...where, alt: "media" },
      { ...at("storage.v1"), responseType: "arraybuffer" },
    );
    expect(Buffer.from(got.data as unknown as ArrayBuffer)).toEqual(bytes);
    const late = { ...where, ifGenerationMatch: "1" };
    expect(await status(objects.get(late, at("storage.v1")))).toEqual([
      412,
      expect.stringContaining("pre-conditions"),
    ]);
  });

  test("tasks: lists, tasks and their order", async () => {
    const api = tasks("v1");
    const { data: list } = await api.tasklists.insert(
      { requestBody: { title: "Naïve" } },
      at("tasks.v1"),
    );
    const tasklist = list.id!;
    for (const title of ["one", "two"])
      await api.tasks.insert(
        { tasklist, requestBody: { title } },
        at("tasks.v1"),
      );
    const { data } = await api.tasks.list({ tasklist }, at("tasks.v1"));
    expect(data.items!.map(({ title }) => title)).toEqual(["two", "one"]);
    const cleared = await api.tasks.clear({ tasklist }, at("tasks.v1"));
    expect(cleared.status).toBe(204);
  });

  test("pubsub: messages are published, pulled and acknowledged", async () => {
    const { projects } = pubsub("v1");
    const topic = "projects/p/topics/t~1";
    const subscription = "projects/p/subscriptions/s";
    await projects.topics.create(
      { name: topic, requestBody: {} },
      at("pubsub.v1"),
    );
    await projects.subscriptions.create(
      { name: subscription, requestBody: { topic } },
      at("pubsub.v1"),
    );
    const data = contentOf(300).toString("base64");
    const sent = await projects.topics.publish(
      { topic, requestBody: { messages: [{ data }, { data }] } },
      at("pubsub.v1"),
    );
    expect(sent.data.messageIds).toHaveLength(2);
    const pull = async () => {
      const asked = { subscription, requestBody: { maxMessages: 5 } };
      const answer = await projects.subscriptions.pull(asked, at("pubsub.v1"));
      return answer.data.receivedMessages ?? [];
    };
    const received = await pull();
    expect(received.map(({ message }) => message!.data)).toEqual([data, data]);
    const ackIds = received.map(({ ackId }) => ackId!);
    await projects.subscriptions.acknowledge(
      { subscription, requestBody: { ackIds } },
      at("pubsub.v1"),
    );
    expect(await pull()).toEqual([]);
  });

  test("no server failed", () => {
    expect(running.crashes).toEqual([]);
  });
});
