import { describe, expect, it } from "vitest";
import {
  jsonBody,
  tokenPagination,
  type PagedCall,
  type PagesCall,
  type TokenPaginationRules,
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

function lister(
  rules: TokenPaginationRules = { items: "files" },
  more: object = {},
) {
  return make<PagedCall<any, any>>({ use: [tokenPagination(rules)], ...more });
}

async function collect<T>(all: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const one of all) found.push(one);
  return found;
}

const pages = () => [
  json({ files: [1, 2], nextPageToken: "t/1" }),
  json({ nextPageToken: "t2" }),
  json({ files: [], nextPageToken: "t3" }),
  json({ files: [3], nextPageToken: "" }),
];

describe("paging", () => {
  it("iterates over items, also after empty pages, until an empty token", async () => {
    const { sent, fetch } = recorder(...pages());
    const call = lister()(client(fetch), { q: "", tag: ["a", "b"], size: 2 });
    expect(await collect(call)).toEqual([1, 2, 3]);
    const query = "?q=&tag=a&tag=b&size=2";
    expect(sent.map(({ target }) => target.slice(15))).toEqual([
      query,
      `${query}&pageToken=t%2F1`,
      `${query}&pageToken=t2`,
      `${query}&pageToken=t3`,
    ]);
  });

  it.each([
    ["files(id)", "files(id),nextPageToken"],
    ["files(nextPageToken)", "files(nextPageToken),nextPageToken"],
    ["*(id)", "*(id),nextPageToken"],
    ["a(b(c),d),e", "a(b(c),d),e,nextPageToken"],
    ["files(id), nextPageToken", "files(id), nextPageToken"],
    ["nextPageToken,files(a(b),c)", "nextPageToken,files(a(b),c)"],
    ["*", "*"],
    ["", ""],
  ])("adds the token to the selector %s", async (fields, expected) => {
    const selectors = async (
      iterate: (call: PagedCall<any, any>) => AsyncIterable<unknown>,
      options: object,
      parameters: object,
    ) => {
      const { sent, fetch } = recorder(...pages());
      await collect(iterate(lister()(client(fetch, options), parameters)));
      return sent.map(({ url }) => new URL(url).searchParams.get("fields"));
    };
    const all = Array.from({ length: 4 }, () => expected);
    expect(await selectors((call) => call, {}, { fields })).toEqual(all);
    expect(await selectors((call) => call.pages(), {}, { fields })).toEqual(
      all,
    );
    const common = { parameters: { fields } };
    expect(await selectors((call) => call, common, {})).toEqual(all);
  });

  it("awaiting does not add the token; iterating later requests it", async () => {
    const { sent, fetch } = recorder(json({ files: [1] }), ...pages());
    const call = lister()(client(fetch), { fields: "files" });
    expect(await call).toEqual({ files: [1] });
    expect(await collect(call)).toEqual([1, 2, 3]);
    expect(sent.slice(0, 2).map(({ target }) => target.slice(15))).toEqual([
      "?fields=files",
      "?fields=files%2CnextPageToken",
    ]);
  });

  it("iterates over pages; awaiting resolves to the first", async () => {
    const { sent, fetch } = recorder(...pages());
    const call = lister()(client(fetch));
    expect(await call).toMatchObject({ files: [1, 2] });
    expect(await collect(call.pages())).toHaveLength(4);
    expect(sent).toHaveLength(4);
  });

  it("sends nothing before the first page is requested", async () => {
    const { sent, fetch } = recorder(...pages());
    const iterator = lister()(client(fetch)).pages()[Symbol.asyncIterator]();
    await later(5);
    expect(sent).toHaveLength(0);
    await iterator.next();
    await later(5);
    expect(sent).toHaveLength(1);
  });

  it("sends no more requests when the loop stops", async () => {
    const { sent, fetch } = recorder(...pages());
    for await (const item of lister()(client(fetch))) if (item === 2) break;
    expect(sent).toHaveLength(1);
  });

  it("yields the entries of maps", async () => {
    const { fetch } = recorder(
      json({ items: { "zones/a": { n: 1 } }, nextPageToken: "x" }),
      json({ items: { "zones/b": { n: 2 } } }),
    );
    expect(await collect(lister({ items: "items" })(client(fetch)))).toEqual([
      ["zones/a", { n: 1 }],
      ["zones/b", { n: 2 }],
    ]);
  });

  it("has only pages() without a field of items", async () => {
    const list = make<PagesCall<object>>({ use: [tokenPagination({})] });
    const call = list(client(recorder().fetch));
    expect(Symbol.asyncIterator in call).toBe(false);
    expect(await collect(call.pages())).toEqual([{}]);
  });

  it("supports other names and the token in the body", async () => {
    const { sent, fetch } = recorder(json({ more: "m" }), json({}));
    const list = lister(
      { token: "cursor", next: "more", in: "body" },
      { httpMethod: "POST", body: jsonBody },
    );
    const requestBody = Object.freeze({ filter: "f", cursor: "" });
    await collect(list(client(fetch), { requestBody, a: 1 }).pages());
    expect(sent.map(({ init }) => init.body)).toEqual([
      '{"filter":"f","cursor":""}',
      '{"filter":"f","cursor":"m"}',
    ]);
    expect(sent[1]?.target).toBe("/drive/v3/files?a=1");
    expect(requestBody.cursor).toBe("");
  });

  it("creates a body for the token if the call has none", async () => {
    const { sent, fetch } = recorder(json({ nextPageToken: "n" }), json({}));
    const list = lister({ in: "body" }, { httpMethod: "POST", body: jsonBody });
    await collect(list(client(fetch)).pages());
    expect(sent.map(({ init }) => init.body)).toEqual([
      undefined,
      '{"pageToken":"n"}',
    ]);
  });

  it.each([
    [undefined, 2],
    ["same", 1],
  ])(
    "throws for a token that repeats (first: %s)",
    async (pageToken, count) => {
      const again = () => json({ files: [1], nextPageToken: "same" });
      const { sent, fetch } = recorder(again, again, again, again);
      const call = lister()(client(fetch), { pageToken });
      const error = await failure(collect(call));
      expect(error).toMatchObject({ kind: "decode", name: "ApiError" });
      expect(error.message).toMatch(
        /drive\.files\.list: the server repeated the token/,
      );
      expect(sent).toHaveLength(count);
    },
  );

  it("can be aborted between pages", async () => {
    const { sent, fetch } = recorder(...pages());
    const controller = new AbortController();
    const { signal } = controller;
    const call = lister()(fullClient(fetch), {}, { signal });
    const error = await failure(
      (async () => {
        for await (const page of call.pages()) controller.abort(page);
      })(),
    );
    expect(error).toMatchObject({ kind: "abort" });
    expect(sent).toHaveLength(1);
  });

  it("ends with the error of a page", async () => {
    const { fetch } = recorder(
      json({ files: [1], nextPageToken: "x" }),
      json({ error: { message: "no", code: 403 } }, { status: 403 }),
    );
    const iterator = lister()(client(fetch))[Symbol.asyncIterator]();
    expect((await iterator.next()).value).toBe(1);
    expect(await failure(iterator.next())).toMatchObject({ status: 403 });
    expect(await iterator.next()).toEqual({ done: true, value: undefined });
  });

  it("yields an empty response as one page", async () => {
    const { fetch } = recorder(new Response(null, { status: 204 }));
    expect(await collect(lister()(client(fetch)).pages())).toEqual([undefined]);
  });
});
