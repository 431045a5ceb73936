import { inspect } from "node:util";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { Auth, ClientOptions } from "../../../src/runtime/client/index.js";
import { client, failure, make, recorder } from "./helpers.js";

async function headersWith(auth: Auth, more: ClientOptions = {}) {
  const { sent, fetch } = recorder();
  await make()(client(fetch, { auth, ...more }), { q: 1 });
  return sent[0]!.headers;
}

describe("auth", () => {
  it.each<[string, Auth]>([
    ["a token", "t.o-k_e~n+/="],
    ["a function", () => "t.o-k_e~n+/="],
    ["an async function", async () => "t.o-k_e~n+/="],
  ])("takes %s", async (_, auth) => {
    expect(await headersWith(auth)).toEqual({
      authorization: "Bearer t.o-k_e~n+/=",
    });
  });

  it.each<[string, Auth]>([
    ["undefined", () => undefined],
    ["null", async () => null],
  ])("is anonymous for %s", async (_, auth) => {
    expect(await headersWith(auth)).toEqual({});
  });

  it("calls a token function for every call", async () => {
    const { sent, fetch } = recorder();
    const auth = vi.fn(() => `t${auth.mock.calls.length}`);
    const both = client(fetch, { auth });
    await make()(both);
    await make()(both);
    expect(sent.map(({ headers }) => headers["authorization"])).toEqual([
      "Bearer t1",
      "Bearer t2",
    ]);
  });

  it.each([
    ["headers", new Headers({ authorization: "Bearer h", "x-p": "1" })],
    ["an object", { Authorization: "Bearer h", "X-P": "1" }],
  ])(
    "accepts a provider of %s and passes the URL without query",
    async (_, given) => {
      const getRequestHeaders = vi.fn(async () => given);
      const more = { headers: { "x-p": "2" }, apiKey: "k" };
      expect(await headersWith({ getRequestHeaders }, more)).toEqual({
        authorization: "Bearer h",
        "x-p": "2",
      });
      expect(getRequestHeaders).toHaveBeenCalledWith(
        "https://api.example.com/drive/v3/files",
      );
    },
  );

  it("requests no token if the caller sets a header", async () => {
    const auth = vi.fn(() => "t");
    const headers = { Authorization: "Basic x" };
    expect(await headersWith(auth, { headers })).toEqual({
      authorization: "Basic x",
    });
    expect(auth).not.toHaveBeenCalled();
  });

  it.each(["", "secret\r\nx: y", "secret ", "sécret", "secret\u0000"])(
    "rejects the token %j without showing it",
    async (token) => {
      const { sent, fetch } = recorder();
      const error = await failure(make()(client(fetch, { auth: token })));
      expect(error).toMatchObject({
        kind: "request",
        methodId: "drive.files.list",
      });
      expect(inspect(error, { depth: 9, showHidden: true })).not.toMatch(
        /s.cret/,
      );
      expect(sent).toHaveLength(0);
    },
  );

  it("throws an ApiError with the cause if the function fails", async () => {
    const cause = new Error("no network at the token server");
    const auth = () => Promise.reject(cause);
    const error = await failure(make()(client(recorder().fetch, { auth })));
    expect(error).toMatchObject({ kind: "request" });
    expect(error.cause).toBe(cause);
  });
});

describe("fetch", () => {
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  it("is looked up at the time of the call by default", async () => {
    const { sent, fetch } = recorder();
    const early = client(fetch, { fetch: undefined });
    vi.stubGlobal("fetch", fetch);
    await make()(early);
    expect(sent).toHaveLength(1);
  });

  it("is called without a receiver, as browsers require", async () => {
    const { fetch } = recorder();
    const spy = vi.fn(fetch);
    await make()(client(spy));
    expect(spy.mock.contexts).toEqual([undefined]);
  });
});
