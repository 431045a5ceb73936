import { expect, it } from "vitest";
import { batch } from "../../../src/runtime/client/batch.js";
import {
  rawResponse,
  rawBody,
  type RawBody,
} from "../../../src/runtime/client/http-body.js";
import type {
  Media,
  MediaCall,
} from "../../../src/runtime/client/call-types.js";
import { client, fullClient, json, make, recorder } from "./helpers.js";

const create = make({ httpMethod: "POST", path: "files", body: rawBody });
const read = make<MediaCall<Media>>({ path: "files/{id}", use: [rawResponse] });

const bytes = new Uint8Array([0, 255, 10]);
const form = new FormData();
form.set("file", new Blob([bytes]));

async function* pieces(): AsyncGenerator<Uint8Array | string> {
  yield bytes;
  yield "x";
}

function stream(): NonNullable<Response["body"]> {
  return new Blob([bytes]).stream();
}

/** Expected content and media type. */
it.each<[string, RawBody, Uint8Array | string, string | RegExp]>([
  ["text", "{}", "{}", "text/plain;charset=UTF-8"],
  ["bytes", bytes, bytes, "application/octet-stream"],
  ["a buffer", bytes.buffer, bytes, "application/octet-stream"],
  ["a Blob", new Blob([bytes], { type: "a/b" }), bytes, "a/b"],
  ["a stream", stream(), bytes, "application/octet-stream"],
  ["an iterable", pieces(), "\0\ufffd\nx", "application/octet-stream"],
  ["a form", form, /name="file"/ as never, /^multipart\/form-data; boundary/],
  [
    "a query",
    new URLSearchParams({ a: "1 2" }),
    "a=1+2",
    "application/x-www-form-urlencoded;charset=UTF-8",
  ],
  ["bytes with a type", { body: bytes, mimeType: "a/b" }, bytes, "a/b"],
  ["a stream with a type", { body: stream(), mimeType: "a/b" }, bytes, "a/b"],
  ["a pair without", { body: "x", mimeType: undefined }, "x", /^text\/plain/],
  ["JSON", { resourceType: "X" }, '{"resourceType":"X"}', "application/json"],
  [
    "JSON with a body",
    { body: "x", more: 1 },
    '{"body":"x","more":1}',
    "application/json",
  ],
])("sends %s as it is", async (_, requestBody, content, type) => {
  const { sent, fetch } = recorder();
  await create(client(fetch), { requestBody });
  const { init } = sent[0]!;
  const request = new Request("https://a.example/", {
    ...init,
    method: "POST",
  } as RequestInit);
  const arrived = new Uint8Array(await request.arrayBuffer());
  const found = request.headers.get("content-type");
  if (typeof type === "string") expect(found).toBe(type);
  else expect(found).toMatch(type);
  if (content instanceof Uint8Array) expect(arrived).toEqual(content);
  else if (typeof content === "string")
    expect(new TextDecoder().decode(arrived)).toBe(content);
  else expect(new TextDecoder().decode(arrived)).toMatch(content);
});

it("sends no body without requestBody; media types of the caller take precedence", async () => {
  const { sent, fetch } = recorder();
  await create(client(fetch), { requestBody: undefined });
  expect(sent[0]!.init.body).toBeUndefined();
  const headers = { "content-type": "c/d" };
  await create(client(fetch), { requestBody: "x" }, { headers });
  expect(sent[1]!.headers["content-type"]).toBe("c/d");
});

it("rejects a body with GET", async () => {
  const get = make({ path: "files", body: rawBody });
  await expect(
    get(client(recorder().fetch), { requestBody: "x" }),
  ).rejects.toMatchObject({ kind: "request" });
});

function answer(): Response {
  return new Response(bytes, { headers: { "content-type": "image/png" } });
}

it("returns the response as media of any type", async () => {
  const { sent, fetch } = recorder(answer(), answer(), json({ a: 1 }));
  const media = await read(client(fetch), { id: 1 });
  expect(media.type).toBe("image/png");
  expect(await media.bytes()).toEqual(bytes);
  const again = await read(client(fetch), { id: 1 }).media();
  expect(await new Response(again.stream).bytes()).toEqual(bytes);
  const text = await read(client(fetch), { id: 1 });
  expect(await text.text()).toBe('{"a":1}');
  expect(sent.map(({ target }) => target)).toEqual(
    Array(3).fill("/drive/v3/files/1"),
  );
});

it("has no size limit and throws the errors of any call", async () => {
  const failed = json({ error: { message: "no" } }, { status: 404 });
  const { fetch } = recorder(answer(), failed);
  const full = fullClient(fetch, { maxResponseSize: 1 });
  expect(await (await read(full, { id: 1 })).bytes()).toEqual(bytes);
  await expect(read(full, { id: 1 })).rejects.toMatchObject({ status: 404 });
});

it("cannot go in a batch", async () => {
  const one = client(recorder().fetch);
  await expect(batch(one, [read(one, { id: 1 })])).rejects.toMatchObject({
    kind: "request",
  });
});
