import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  createBareClient,
  createClient,
  jsonBody,
  method,
  type Client,
  type ClientOptions,
  type Fetch,
} from "../../src/runtime/client/index.js";
import { withCredential } from "../../src/runtime/client/credential.js";
import { nodeTransport } from "../../src/runtime/client/node.js";
import { redirectDownload } from "../../src/runtime/client/redirect-download.js";
import { forEachSeed, RUNS, type Choices } from "./support/seeds.js";

const SECRET = "S3CRET";
/** Headers that another origin may receive, besides those of the platform. */
const SAFE = [
  "accept",
  "accept-language",
  "if-none-match",
  "if-range",
  "range",
  // Headers of the platform.
  "accept-encoding",
  "connection",
  "host",
  "sec-fetch-mode",
  "user-agent",
];
const service = { rootUrl: "https://api.example.com/", servicePath: "" };

interface Seen {
  readonly origin: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** Ways to configure a secret header of a client. */
const settings: Record<string, (options: ClientOptions) => ClientOptions> = {
  token: (options) => ({ ...options, auth: SECRET }),
  "auth object": (options) => ({
    ...options,
    auth: { getRequestHeaders: () => ({ "x-goog-iam": SECRET }) },
  }),
  "x-credential": (options) =>
    withCredential({ ...options, auth: SECRET }, { name: "X-Key" }),
  "x-credential with an object": (options) =>
    withCredential(
      { ...options, auth: { getRequestHeaders: () => ({ "x-own": SECRET }) } },
      { name: "X-Key" },
    ),
  "x-credential in the query": (options) =>
    withCredential({ ...options, auth: SECRET }, { in: "query", name: "k" }),
  "quota project": (options) => ({ ...options, quotaProject: SECRET }),
  headers: (options) => ({
    ...options,
    headers: { "x-custom": SECRET, cookie: SECRET, "x-range": SECRET },
  }),
  "API key": (options) => ({ ...options, apiKey: SECRET }),
};

const get = method({ id: "demo.get", path: "x" });
const bytes = method({ id: "demo.bytes", path: "x", use: [redirectDownload] });
const post = method({
  id: "demo.post",
  httpMethod: "POST",
  path: "x",
  body: jsonBody,
});
const put = method({
  id: "demo.put",
  httpMethod: "PUT",
  path: "x",
  body: jsonBody,
});

/** Follows redirects like fetch, which forwards all headers except two. */
function platform(answer: (url: string) => Response, seen: Seen[]): Fetch {
  const send: Fetch = async (url, init) => {
    const headers = { ...(init.headers as Record<string, string>) };
    const { method = "GET", body } = init;
    seen.push({ origin: new URL(url).origin, method, headers, body });
    const response = answer(url);
    const location = response.headers.get("location");
    if (init.redirect == "manual" || !location) return response;
    const target = new URL(location, url);
    if (seen.length > 20) throw new TypeError("redirect count exceeded");
    if (target.origin != new URL(url).origin)
      for (const name of ["authorization", "cookie"]) delete headers[name];
    return send(target.href, { ...init, headers });
  };
  return send;
}

function away(status: number, location: string): Response {
  return new Response(null, { status, headers: { location } });
}

function expectClean(seen: readonly Seen[], home: string): void {
  let isAway = false;
  for (const { origin, headers } of seen) {
    isAway ||= origin != home;
    if (!isAway) continue;
    const names = Object.keys(headers);
    expect(names.filter((name) => !SAFE.includes(name))).toEqual([]);
    expect(JSON.stringify(headers)).not.toContain(SECRET);
  }
}

const { origin: home } = new URL(service.rootUrl);

describe.each(Object.entries(settings))("%s", (_, give) => {
  const clients: Record<string, (options: ClientOptions) => Client> = {
    full: (options) =>
      createClient(service, give({ retry: false, ...options })),
    bare: (options) => createBareClient(service, give(options)),
  };
  it.each(Object.entries(clients))(
    "does not leave the origin: %s",
    async (_, create) => {
      for (const call of [get, bytes]) {
        const seen: Seen[] = [];
        const transport = platform(
          (url) =>
            url.includes("other.example")
              ? new Response("{}")
              : away(302, "https://other.example.com/"),
          seen,
        );
        const range = { headers: { range: "bytes=0-1" } };
        await call(create({ transport }), {}, range).catch(() => {});
        expectClean(seen, home);
        for (const { headers } of seen.slice(1))
          expect(headers["range"]).toBe("bytes=0-1");
      }
    },
  );
});

it("a redirect of POST or PUT is an error for every status", async () => {
  for (const call of [post, put])
    for (const status of [301, 302, 303, 307, 308]) {
      const seen: Seen[] = [];
      const transport = platform(() => away(status, "/y"), seen);
      const client = createClient(service, { transport });
      const error = await call(client, { requestBody: { a: SECRET } }).catch(
        (thrown: unknown) => thrown,
      );
      expect(error).toMatchObject({ kind: "http", status });
      expect(seen).toHaveLength(1);
    }
});

it("bare clients do not follow redirects", async () => {
  const seen: Seen[] = [];
  const transport = platform(() => away(302, "/y"), seen);
  const error = await get(createBareClient(service, { transport })).catch(
    (thrown: unknown) => thrown,
  );
  expect(error).toMatchObject({ kind: "http", status: 302 });
  expect(seen).toHaveLength(1);
});

const LOCATIONS = [
  "/y",
  "//other.example.com/",
  "https://other.example.com/y",
  "https://api.example.com:444/",
  "http://api.example.com/",
  "https://api.example.com@other.example.com/",
  "https:\\\\other.example.com",
  "\thttps://other.example.com/\n".trim(),
  "HTTPS://OTHER.example.com",
  "javascript:1",
  "data:application/json,{}",
  "https://[",
  "",
  "?again",
];

it("fuzz: hostile chains of redirects", async () => {
  await forEachSeed(async ({ pick, int, chance }: Choices) => {
    const seen: Seen[] = [];
    let left = int(8);
    const transport = platform(
      () =>
        left-- > 0
          ? away(
              pick([301, 302, 303, 307, 308, 300, 304, 201]),
              pick(LOCATIONS),
            )
          : new Response("{}"),
      seen,
    );
    const give = pick(Object.values(settings));
    const options = give({ transport, retry: false });
    const create = chance(0.2) ? createBareClient : createClient;
    const call = pick([get, bytes, post, put]);
    const error = await call(
      create(service, options),
      {},
      {
        headers: { "if-none-match": "x", "x-trace": SECRET },
      },
    ).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    if (error) expect(error).toMatchObject({ name: "ApiError" });
    expect(seen.length).toBeLessThan(8);
    expectClean(seen, home);
  });
});

describe("over sockets", () => {
  let servers: Server[] = [];
  const seen: Seen[] = [];
  let answer = (): [number, string] => [200, ""];
  beforeAll(async () => {
    servers = await Promise.all(
      [0, 1].map(async () => {
        const server = createServer((request, response) => {
          const { headers, method = "" } = request;
          const origin = `http://${headers.host}`;
          seen.push({
            origin,
            method,
            headers: headers as Record<string, string>,
            body: undefined,
          });
          const [status, location] = answer();
          response.writeHead(status, {
            "content-type": "application/json",
            ...(location && { location }),
          });
          response.end(status == 200 ? "{}" : "");
        });
        await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
        return server;
      }),
    );
  });
  afterAll(() => {
    for (const server of servers) {
      server.closeAllConnections();
      server.close();
    }
  });

  it.each([
    ["fetch", (url: string, init: RequestInit) => fetch(url, init)],
    ["node", nodeTransport()],
    ["node, following by itself", following(nodeTransport())],
  ])("fuzz: %s", async (_, transport) => {
    const [own, other] = servers.map(
      (server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    );
    await forEachSeed(
      async ({ pick, int }: Choices) => {
        seen.length = 0;
        let left = int(4);
        answer = () =>
          left-- > 0
            ? [
                pick([301, 302, 303, 307, 308]),
                pick(["/y", `${other}/`, `${own}/z`]),
              ]
            : [200, ""];
        const options = pick(Object.values(settings))({
          transport,
          retry: false,
          rootUrl: `${own}/`,
        });
        await pick([get, bytes, post])(createClient(service, options)).catch(
          () => {},
        );
        expectClean(seen, own!);
      },
      Math.ceil(RUNS / 20),
    );
  });
});

/**
 * Wraps a transport that follows redirects unless `redirect` disables it.
 */
function following(transport: Fetch): Fetch {
  return (url, init) => {
    const rest = { ...init };
    delete rest.redirect;
    return transport(url, rest);
  };
}
