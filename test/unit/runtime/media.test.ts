import { expect, it } from "vitest";
import {
  download,
  type Media,
  type MediaCall,
} from "../../../src/runtime/client/index.js";
import {
  client,
  failure,
  fullClient,
  json,
  later,
  make,
  recorder,
} from "./helpers.js";

const get = make<MediaCall<any>>({ path: "files/{id}", use: [download] });

function answer(): Response {
  return new Response("häl", { headers: { "content-type": "image/png" } });
}

it("requests only the media", async () => {
  const { sent, fetch } = recorder(answer());
  const media = await get(client(fetch), { id: "a", x: 1 }).media();
  await later(5);
  expect(sent.map(({ target }) => target)).toEqual([
    "/drive/v3/files/a?x=1&alt=media",
  ]);
  expect(media.response.headers.get("content-type")).toBe("image/png");
  expect(await media.bytes()).toEqual(new TextEncoder().encode("häl"));
});

it.each<[string, (media: Media) => Promise<unknown>]>([
  ["text", (media) => media.text()],
  ["blob", async (media) => (await media.blob()).text()],
  ["stream", (media) => new Response(media.stream).text()],
])("gives %s", async (_, read) => {
  const media = await get(client(recorder(answer()).fetch), { id: 1 }).media();
  expect(await read(media)).toBe("häl");
});

it("returns a blob with the media type", async () => {
  const media = await get(client(recorder(answer()).fetch), { id: 1 }).media();
  expect((await media.blob()).type).toBe("image/png");
});

it("sets the type of a blob if the runtime does not", async () => {
  const response = answer();
  response.blob = async () => new Blob(["häl"]);
  const media = await get(client(recorder(response).fetch), { id: 1 }).media();
  const blob = await media.blob();
  expect([blob.type, await blob.text()]).toEqual(["image/png", "häl"]);
});

it("has a stream also for a response without a body", async () => {
  const { fetch } = recorder(new Response(null, { status: 204 }));
  const media = await get(client(fetch), { id: 1 }).media();
  expect(await new Response(media.stream).text()).toBe("");
});

it("resolves to the value like any call", async () => {
  const { sent, fetch } = recorder(json({ name: "n" }));
  expect(await get(client(fetch), { id: "a" })).toEqual({ name: "n" });
  expect(sent[0]?.target).toBe("/drive/v3/files/a");
});

it("names media() if content is received instead of JSON", async () => {
  const { fetch } = recorder(new Response("%PDF-1.4"));
  const error = await failure(get(client(fetch), { id: "a" }));
  expect(error.message).toContain(
    "expected JSON (use .media()); received text/plain",
  );
});

it("rejects with the API's error", async () => {
  const { fetch } = recorder(
    json({ error: { message: "m" } }, { status: 416 }),
  );
  const error = await failure(get(client(fetch), { id: 1 }).media());
  expect(error).toMatchObject({ kind: "http", status: 416 });
});

/** Returns a response whose body starts and then waits for the signal. */
function endless(signal: AbortSignal): Response {
  return new Response(
    new ReadableStream({
      start(controller) {
        controller.enqueue(new Uint8Array(3));
        signal.addEventListener("abort", () => controller.error(signal.reason));
      },
    }),
  );
}

it("aborts reading of the body by signal, not by timeout", async () => {
  const controller = new AbortController();
  const media = await get(
    fullClient(async (_, init) => endless(init.signal!)),
    { id: 1 },
    { signal: controller.signal, timeout: 10 },
  ).media();
  const bytes = media.bytes();
  expect(await Promise.race([bytes, later(30, "reading")])).toBe("reading");
  controller.abort(new Error("enough"));
  const error = await failure(bytes);
  expect(error).toMatchObject({ kind: "abort", methodId: "drive.files.list" });
  expect(error.cause.message).toBe("enough");
});

it("throws an ApiError for an incomplete body", async () => {
  const body = new ReadableStream({
    pull(controller) {
      controller.error(new TypeError("reset"));
    },
  });
  const { fetch } = recorder(new Response(body));
  const media = await get(client(fetch), { id: 1 }).media();
  expect(await failure(media.text())).toMatchObject({
    kind: "network",
    status: 200,
  });
});
