import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { batch } from "../../../src/runtime/client/batch.js";
import {
  credential,
  withCredential,
} from "../../../src/runtime/client/credential.js";
import {
  bind,
  createClient,
  type Call,
} from "../../../src/runtime/client/index.js";
import type { Auth } from "../../../src/runtime/client/auth.js";
import { operation } from "../../../src/runtime/client/operation.js";
import { tokenPagination } from "../../../src/runtime/client/token-pagination.js";
import { upload } from "../../../src/runtime/client/upload.js";
import { withRetries } from "../../../src/runtime/client/with-retries.js";
import {
  client,
  failure,
  fullClient,
  json,
  make,
  recorder,
  service,
  type Sent,
} from "./helpers.js";

const tokens = (sent: readonly Sent[]) =>
  sent.map(({ headers }) => headers["authorization"]);

describe("auth of a call", () => {
  it.each([
    ["a bare client", client],
    ["a full client", fullClient],
    [
      "a bare client with retries",
      (...args: Parameters<typeof client>) => withRetries(client(...args)),
    ],
  ])("overrides that of %s", async (_, create) => {
    const { sent, fetch } = recorder();
    const api = create(fetch, { auth: "common" });
    await make()(api, {}, { auth: "own" });
    await make()(api, {}, { auth: () => null });
    await make()(api, {}, { auth: undefined });
    await make()(create(fetch), {}, { auth: "own" });
    expect(tokens(sent)).toEqual([
      "Bearer own",
      undefined,
      "Bearer common",
      "Bearer own",
    ]);
  });

  it("is refreshed after 401, instead of that of the client", async () => {
    const { sent, fetch } = recorder(json({}, { status: 401 }));
    const requested: unknown[] = [];
    const auth: Auth = (request) => {
      requested.push(request);
      return request.refresh ? "new" : "old";
    };
    await make()(fullClient(fetch, { auth: "common" }), {}, { auth });
    expect(tokens(sent)).toEqual(["Bearer old", "Bearer new"]);
    expect(requested).toEqual([{}, { refresh: true }]);
  });

  it("applies to all requests of a call: pages, operations, uploads", async () => {
    const options = { auth: "own", upload: "resumable" } as const;
    const { sent, fetch } = recorder(
      json({ items: [1], nextPageToken: "a" }),
      json({ items: [2] }),
      json({ name: "o" }),
      json({ name: "o", done: true }),
      new Response(null, {
        headers: { location: "https://api.example.com/session?id=1" },
      }),
      json({}),
    );
    const api = fullClient(fetch, { auth: "common" });
    const paged = make<Call<any> & AsyncIterable<unknown>>({
      use: [tokenPagination({ items: "items" })],
    });
    const items: unknown[] = [];
    for await (const item of paged(api, {}, options)) items.push(item);
    expect(items).toEqual([1, 2]);
    const run = make<any>({ use: [operation({ poll: "{+name}" })] });
    await run(api, {}, options).wait({ interval: 1 });
    const add = make({ httpMethod: "POST", use: [upload({ simple: "/u" })] });
    await add(api, { media: { body: "text" } }, options);
    expect(tokens(sent)).toEqual(sent.map(() => "Bearer own"));
    expect(sent).toHaveLength(6);
  });

  it("is not sent to the upload session of another origin", async () => {
    const location = "https://other.example.com/session";
    const { sent, fetch } = recorder(
      new Response(null, { headers: { location } }),
      json({}),
    );
    const add = make({ httpMethod: "POST", use: [upload({ simple: "/u" })] });
    await add(
      fullClient(fetch),
      { media: { body: "text" } },
      { auth: "own", upload: "resumable" },
    );
    expect(tokens(sent)).toEqual(["Bearer own", undefined]);
  });

  it("is sent at the position that the API expects", async () => {
    const asked: [string, unknown][] = [];
    const transport = async (url: string, init: RequestInit) => {
      asked.push([url, init.headers]);
      return new Response("{}");
    };
    for (const auth of ["common", undefined])
      for (const place of ["header", "query"] as const) {
        const rules = { name: "token", in: place };
        const api = createClient(
          service,
          withCredential({ auth, transport }, rules),
        );
        await make()(api, {}, { auth: "own" });
        const other = credential({ name: "X-Other" });
        await make({ use: [other] })(api, {}, { auth: "own" });
      }
    const url = "https://api.example.com/drive/v3/files";
    const expected = [
      [url, { token: "own" }],
      [url, { "x-other": "own" }],
      [`${url}?token=own`, {}],
      [url, { "x-other": "own" }],
    ];
    expect(asked).toEqual([...expected, ...expected]);
  });

  it("is a header of the call's part of a batch, never of other parts", async () => {
    const { sent, fetch } = recorder();
    const api = fullClient(
      fetch,
      { auth: "common", retry: false },
      { batchPath: "batch" },
    );
    const calls = [
      make()(api, {}),
      make()(api, {}, { auth: "own" }),
      make()(api, {}, { auth: "AIzaKey" }),
    ];
    await failure(batch(api, calls, { auth: "outer" }));
    expect(tokens(sent)).toEqual(["Bearer outer"]);
    const parts = String(sent[0]!.init.body).split(/^--.*$/m);
    expect(parts[1]).not.toContain("authorization");
    expect(parts[2]).toContain("authorization: Bearer own\r\n");
    expect(parts[3]).toContain("GET /drive/v3/files?key=AIzaKey");
    expect(parts[3]).not.toContain("authorization");
  });

  it("is not part of a batch if it is a query parameter, or of another client", async () => {
    const { sent, fetch } = recorder();
    const rules = { name: "token", in: "query" } as const;
    const api = createClient(
      { ...service, batchPath: "batch" },
      withCredential({ fetch }, rules),
    );
    const call = make()(api, {}, { auth: "own" });
    const error = await failure(batch(api, [call]));
    expect(error).toMatchObject({ kind: "request" });
    expect(error.message).toContain("must not have its own auth");
    const other = make()(fullClient(fetch), {}, { auth: "own" });
    expect(await failure(batch(api, [other]))).toMatchObject({
      kind: "request",
    });
    expect(sent).toEqual([]);
  });

  it("is not visible in errors", async () => {
    const { fetch } = recorder(json({}, { status: 400 }));
    const call = make()(fullClient(fetch), {}, { auth: "s3cret" });
    expect(inspect(await failure(call), { depth: 9 })).not.toContain("s3cret");
  });
});

describe("an API key as auth", () => {
  it.each([client, fullClient])("is sent as key", async (create) => {
    const { sent, fetch } = recorder();
    const auth = "AIzaSyA";
    await make()(create(fetch, { auth }));
    await make()(create(fetch), { q: 1 }, { auth });
    await make()(create(fetch, { auth, apiKey: "other" }));
    await make()(create(fetch, { auth }), { key: "own" });
    expect(sent.map(({ target }) => target)).toEqual([
      "/drive/v3/files?key=AIzaSyA",
      "/drive/v3/files?q=1&key=AIzaSyA",
      "/drive/v3/files?key=other",
      "/drive/v3/files?key=own",
    ]);
    expect(tokens(sent)).toEqual([undefined, undefined, undefined, undefined]);
  });

  it("is a token for an API with credentials of its own", async () => {
    const { sent, fetch } = recorder();
    const settings = withCredential({ auth: "AIzaSyA", fetch }, { name: "x" });
    await make()(createClient(service, settings));
    expect(sent).toMatchObject([
      { target: "/drive/v3/files", headers: { x: "AIzaSyA" } },
    ]);
  });
});

it("a callback is an error", async () => {
  const { sent, fetch } = recorder();
  const tree = { get: ["GET", "files"] };
  const { get } = bind(fullClient(fetch), "drive.", tree);
  for (const args of [[{}, () => {}], [() => {}]])
    expect(await failure(get(...args))).toMatchObject({
      kind: "request",
      message: "drive.get: a callback is not supported: the call is a promise",
    });
  expect(sent).toEqual([]);
});
