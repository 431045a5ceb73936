import { describe, expect, test } from "vitest";
import {
  ApiError,
  content,
  page,
  reply,
  type Call,
  type PagePosition,
  type ServerOptions,
} from "../../../src/runtime/server/index.js";
import { description } from "../../support/generate.js";
import { loadServer, spec, type CreateServer } from "./generated.js";

interface Sent {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly log: readonly unknown[];
}

/** Sends a GET; returns the response and the errors in the log. */
async function send(
  create: CreateServer,
  service: object,
  url: string,
  headers: Record<string, string> = {},
  options: ServerOptions = {},
): Promise<Sent> {
  const log: unknown[] = [];
  const server = create(service, {
    log: ({ error }) => error !== undefined && log.push(error),
    ...options,
  });
  const request = new Request(url, { headers });
  const answer = await server.fetch(request);
  return {
    status: answer.status,
    headers: answer.headers,
    text: await answer.text(),
    log,
  };
}

const migration = await loadServer(spec("migration.v1"));
const TOKEN = { authorization: "token t" };
const ROOT = "https://api.example/orgs/o/migrations";

describe("pages (x-paging)", () => {
  /** Returns the links of a page by relation, without the origin. */
  async function links(
    query: string,
    position: PagePosition,
    root: string = ROOT,
    options: ServerOptions = {},
    headers: Record<string, string> = {},
  ): Promise<Record<string, string> | undefined> {
    const service = { migrations: { listForOrg: () => page([], position) } };
    const all = { ...TOKEN, ...headers };
    const url = `${root}${query}`;
    const answer = await send(migration, service, url, all, options);
    expect([answer.status, answer.text]).toEqual([200, "[]"]);
    const link = answer.headers.get("link");
    if (link === null) return undefined;
    return Object.fromEntries(
      link.split(", ").map((one) => {
        const [, target, relation] = /^<(.*)>; rel="(\w+)"$/.exec(one)!;
        return [relation!, target!];
      }),
    );
  }

  test.each<[string, string, PagePosition, Record<string, string> | undefined]>(
    [
      ["a single page", "", { total: 30 }, undefined],
      ["an empty list", "", { total: 0 }, undefined],
      [
        "the first of three pages",
        "?per_page=10",
        { total: 21 },
        { next: "?per_page=10&page=2", last: "?per_page=10&page=3" },
      ],
      [
        "the second page",
        "?page=2&per_page=10",
        { total: 21 },
        {
          prev: "?per_page=10&page=1",
          next: "?per_page=10&page=3",
          last: "?per_page=10&page=3",
          first: "?per_page=10&page=1",
        },
      ],
      [
        "the last page",
        "?page=3&per_page=10",
        { total: 21 },
        { prev: "?per_page=10&page=2", first: "?per_page=10&page=1" },
      ],
      [
        "beyond the last page",
        "?page=9&per_page=10",
        { total: 21 },
        { prev: "?per_page=10&page=3", first: "?per_page=10&page=1" },
      ],
      ["more, uncounted", "", { hasMore: true }, { next: "?page=2" }],
      [
        "the last page of an uncounted list",
        "?page=2",
        { hasMore: false },
        { prev: "?page=1", first: "?page=1" },
      ],
      [
        "other parameters are preserved",
        "?exclude[]=repositories&pag%65=1&x=a%20b+c&x=%3e",
        { hasMore: true },
        {
          next: "?exclude[]=repositories&x=a%20b+c&x=%3e&page=2",
        },
      ],
    ],
  )("%s", async (_, query, position, expected) => {
    const found = await links(query, position);
    const short =
      found &&
      Object.fromEntries(
        Object.entries(found).map(([name, url]) => {
          expect(url.startsWith(`${ROOT}?`)).toBe(true);
          return [name, url.slice(ROOT.length)];
        }),
      );
    expect(short).toEqual(expected);
  });

  test("characters that are invalid in a URL are encoded", async () => {
    const seen: (string | undefined)[] = [];
    const service = {
      migrations: { listForOrg: () => page([], { hasMore: true }) },
    };
    const server = migration(service);
    for (const text of ["<a>;", "\u00e9", "\u20ac", "\ud800", '"\r\nx']) {
      const { headers } = await server.handle({
        method: "GET",
        target: `/orgs/o/migrations?x=${text}`,
        origin: "http://x",
        signal: new AbortController().signal,
        raw: undefined,
        header: (name) => (name === "authorization" ? "token t" : undefined),
        text: async () => "",
        async *chunks() {},
      });
      seen.push(/x=([^&]*)&page=2>; rel="next"$/.exec(headers["link"]!)?.[1]);
    }
    expect(seen).toEqual([
      "%3ca%3e;",
      "%e9",
      "%E2%82%AC",
      "%EF%BF%BD",
      "%22%0d%0ax",
    ]);
  });

  test("below a path, at the origin of the options or of the proxy", async () => {
    const below = "https://x.example/api/orgs/o/migrations";
    const options = { basePath: "/api" };
    const hasMore = { hasMore: true };
    expect(await links("", hasMore, below, options)).toEqual({
      next: `${below}?page=2`,
    });
    const origin = "https://public.example/";
    expect(await links("", hasMore, below, { ...options, origin })).toEqual({
      next: "https://public.example/api/orgs/o/migrations?page=2",
    });
    const forwarded = {
      "x-forwarded-proto": "https, http",
      "x-forwarded-host": "evil.example, p.example:8443",
    };
    expect(await links("", hasMore, below, options, forwarded)).toEqual({
      next: `${below}?page=2`,
    });
    const trusting = { ...options, trustProxy: true };
    expect(await links("", hasMore, below, trusting, forwarded)).toEqual({
      next: "http://p.example:8443/api/orgs/o/migrations?page=2",
    });
    const odd = { "x-forwarded-proto": "ftp", "x-forwarded-host": "a/b>" };
    expect(await links("", hasMore, below, trusting, odd)).toEqual({
      next: `${below}?page=2`,
    });
  });

  test("with additional headers; with selected fields; in a method without pages", async () => {
    const repositories = [{ id: 1, name: "a" }];
    const service = {
      migrations: {
        listReposForOrg: () =>
          reply(page(repositories, { hasMore: true }), {
            headers: { "X-Vendor-Api-Version-Selected": "2022-11-28" },
          }),
        getStatusForOrg: () => page([], { hasMore: true }),
      },
    };
    const url = `${ROOT}/1/repositories?fields=id`;
    const { headers, text } = await send(migration, service, url, TOKEN);
    expect(text).toBe('[{"id":1}]');
    expect(headers.get("x-vendor-api-version-selected")).toBe("2022-11-28");
    expect(headers.get("link")).toContain("fields=id&page=2");
    const wrong = await send(migration, service, `${ROOT}/1`, TOKEN);
    expect(wrong.status).toBe(500);
    expect(String(wrong.log[0])).toContain("has no x-paging");
  });
});

test("the caller's address comes from the proxy only if it is trusted", async () => {
  const seen: unknown[] = [];
  const service = {
    migrations: {
      listForOrg: ({ request }: Call) => (seen.push(request.remoteAddress), []),
    },
  };
  const headers = { ...TOKEN, "x-forwarded-for": "6.6.6.6, 10.0.0.1" };
  await send(migration, service, ROOT, headers);
  await send(migration, service, ROOT, headers, { trustProxy: true });
  expect(seen).toEqual([undefined, "10.0.0.1"]);
});

const create = await loadServer(
  description({
    name: "demo",
    schemas: {
      Thing: {
        id: "Thing",
        type: "object",
        properties: { id: { type: "string" } },
      },
    },
    methods: {
      make: {
        id: "demo.make",
        path: "make",
        httpMethod: "GET",
        response: { $ref: "Thing" },
        supportsMediaDownload: true,
        "x-response-headers": {
          "X-Count": { type: "integer", required: true },
          "X-Note": { type: "string" },
        },
      },
      go: {
        id: "demo.go",
        path: "go",
        httpMethod: "GET",
        "x-status": 302,
        "x-response-headers": { Location: { type: "string", required: true } },
      },
    },
  }),
);

describe("response headers (x-response-headers)", () => {
  const ask = (make: (call: Call) => unknown, path: string = "make") =>
    send(create, { make, go: make }, `https://api.example/${path}`);

  test("are written in any case and type", async () => {
    const { status, headers } = await ask(() =>
      reply({}, { headers: { "x-COUNT": 3, "X-Note": undefined } }),
    );
    expect([status, headers.get("x-count"), headers.get("x-note")]).toEqual([
      200,
      "3",
      null,
    ]);
    const bytes = () =>
      content({ body: new Uint8Array(1), headers: { "X-Count": "1" } });
    const down = await ask(bytes, "make?alt=media");
    expect([down.status, down.headers.get("x-count")]).toEqual([200, "1"]);
  });

  test("a missing required header is a 500 with the reason in the log", async () => {
    const { status, text, log } = await ask(() => ({ id: "1" }));
    expect(status).toBe(500);
    expect(text).not.toContain("count");
    expect(String(log[0])).toContain("must have the header x-count");
  });

  test("errors do not require them", async () => {
    const { status } = await ask(() => {
      throw new ApiError(404, "");
    });
    expect(status).toBe(404);
  });

  test("the result is the Location of a redirect", async () => {
    const { status, headers } = await ask(() => "https://x.example/1", "go");
    expect([status, headers.get("location")]).toEqual([
      302,
      "https://x.example/1",
    ]);
  });

  test.each([["a\r\nset-cookie: b"], ["a\u0000b"], ["\u20ac"]])(
    "%j can't be sent: 500",
    async (value) => {
      const headers = { "X-Count": value };
      const { status, log } = await ask(() => reply({}, { headers }));
      expect(status).toBe(500);
      expect(String(log[0])).toContain("can't be sent");
      expect((await ask(() => value, "go")).status).toBe(500);
      const failing = () => {
        throw new ApiError(400, "No.", { headers: { "X-Note": value } });
      };
      const failed = await ask(failing);
      expect([failed.status, failed.headers.get("x-note")]).toEqual([
        400,
        null,
      ]);
    },
  );

  test("an error with an invalid status is a 500", async () => {
    for (const status of [200, 99, 600, 4.5]) {
      const failing = () => {
        throw new ApiError(status, "No.");
      };
      expect((await ask(failing)).status).toBe(500);
    }
  });
});

describe("common response headers", () => {
  const options: ServerOptions = {
    headers: (_, method) => ({ "X-Version": method?.id ?? "none" }),
  };

  test("responses and errors have them", async () => {
    const make = () => reply({}, { headers: { "X-Count": 1 } });
    const root = "https://api.example/";
    const good = await send(create, { make }, `${root}make`, {}, options);
    expect(good.headers.get("x-version")).toBe("demo.make");
    const bad = await send(create, {}, `${root}nothing`, {}, options);
    expect([bad.status, bad.headers.get("x-version")]).toEqual([404, "none"]);
  });

  test("a failing hook does not prevent the response", async () => {
    const failing = {
      headers: () => {
        throw new Error("hook");
      },
    };
    const make = () => reply({}, { headers: { "X-Count": 1 } });
    const url = "https://api.example/make";
    const answer = await send(create, { make }, url, {}, failing);
    expect(answer.status).toBe(200);
    expect(String(answer.log[0])).toContain("hook");
    const envelope = {
      envelope: () => {
        throw new Error("hook");
      },
    };
    const failed = await send(create, {}, url, {}, envelope);
    expect(failed.status).toBe(501);
  });
});
