import { describe, expect, it } from "vitest";
import { batchesOnDemand } from "../../../src/runtime/client/batches-on-demand.js";
import type { OperationCall } from "../../../src/runtime/client/call-types.js";
import { isApiError } from "../../../src/runtime/client/index.js";
import { loadModule } from "../../../src/runtime/client/load-module.js";
import { operationOnDemand } from "../../../src/runtime/client/operation-on-demand.js";
import { uploadOnDemand } from "../../../src/runtime/client/upload-on-demand.js";
import { client, json, make, recorder } from "./helpers.js";

it("uploads media, and sends calls without media unchanged", async () => {
  const { sent, fetch } = recorder();
  const rules = { simple: "/upload/files", multipart: true };
  const create = make({ verb: "POST", use: [uploadOnDemand(rules)] });
  await create(client(fetch), { media: { body: "text" } } as object);
  await create(client(fetch));
  expect(sent.map(({ target }) => target)).toEqual([
    "/upload/files?uploadType=media",
    "/drive/v3/files",
  ]);
});

it("waits for operations", async () => {
  const start = { name: "o", done: false };
  const end = { name: "o", done: true, response: { id: 1 } };
  const { sent, fetch } = recorder(json(start), json(end));
  const run = make<OperationCall<unknown>>({
    verb: "POST",
    use: [operationOnDemand({ poll: "operations/{name}" })],
  });
  expect(await run(client(fetch)).wait({ interval: 1 })).toEqual({ id: 1 });
  expect(sent[1]!.target).toBe("/drive/v3/operations/o");
});

describe("batches", () => {
  const get = make({ path: "files/{id}" });

  it("sends calls in one request, even if they are awaited before", async () => {
    const { sent, fetch } = recorder(() => new Response("", { status: 500 }));
    const own = client(fetch, { retry: false });
    const calls = [get(own, { id: 1 }), get(own, { id: 2 })] as const;
    const batch = batchesOnDemand(own).batchSettled(calls);
    await expect(calls[0]).rejects.toThrow("500");
    expect((await batch).map(({ status }) => status)).toEqual([
      "rejected",
      "rejected",
    ]);
    expect(sent).toHaveLength(1);
    const text = String(sent[0]!.init.body);
    expect(text.match(/^GET .*$/gm)).toEqual([
      expect.stringContaining("/files/1"),
      expect.stringContaining("/files/2"),
    ]);
  });

  it("rejects the calls for an invalid size", async () => {
    const { sent, fetch } = recorder();
    const own = client(fetch);
    const call = get(own, { id: 1 });
    const batch = batchesOnDemand(own).batch([call], { size: 0 });
    await expect(batch).rejects.toThrow("size must be at least 1");
    await expect(call).rejects.toThrow("size must be at least 1");
    expect(sent).toEqual([]);
  });
});

it("converts a failed import to an ApiError", async () => {
  const failed = loadModule(Promise.reject(new TypeError("no file")), "a.b");
  const error = await failed.catch((thrown: unknown) => thrown);
  expect(isApiError(error)).toBe(true);
  expect(error).toMatchObject({ kind: "network", message: "a.b: no file" });
});
