import { describe, expect, it } from "vitest";
import type { Fetch } from "../../../src/runtime/client/index.js";
import { client, failure, json, make, recorder } from "./helpers.js";

/** Fetch that ends only when its signal aborts. */
const waiting: Fetch = (_, { signal }) =>
  new Promise((_resolve, reject) => {
    signal!.addEventListener("abort", () => reject(signal!.reason));
  });

describe("a bare client", () => {
  it("makes one attempt", async () => {
    const { sent, fetch } = recorder(json({}, { status: 503 }));
    expect(await failure(make()(client(fetch)))).toMatchObject({
      kind: "http",
      status: 503,
    });
    expect(sent).toHaveLength(1);
  });

  it.each([
    ["the client", { timeout: 5 }, {}],
    ["the call", { timeout: 60_000 }, { timeout: 5 }],
  ])("obeys the timeout of %s", async (_, settings, options) => {
    const call = make()(client(waiting, settings), {}, options);
    expect(await failure(call)).toMatchObject({
      kind: "timeout",
      methodId: "drive.files.list",
    });
  });

  it("obeys a signal, with a timeout and without", async () => {
    for (const more of [{}, { timeout: 60_000 }]) {
      const controller = new AbortController();
      const { signal } = controller;
      const call = make()(client(waiting), {}, { signal, ...more });
      setTimeout(() => controller.abort("enough"));
      expect(await failure(call)).toMatchObject({
        kind: "abort",
        cause: "enough",
      });
    }
  });

  it("passes a signal that is already aborted to fetch", async () => {
    const rootUrl = "http://127.0.0.1:1/";
    const api = client((url, init) => fetch(url, init), { rootUrl });
    const call = make()(api, {}, { signal: AbortSignal.abort() });
    expect(await failure(call)).toMatchObject({ kind: "abort" });
  });

  it("passes no signal to fetch without a timeout", async () => {
    const { sent, fetch } = recorder();
    await make()(client(fetch));
    expect(sent[0]?.init.signal).toBeNull();
  });
});
