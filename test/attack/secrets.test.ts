import { inspect } from "node:util";
import { expect, it } from "vitest";
import { batchSettled } from "../../src/runtime/client/batch.js";
import { withCredential } from "../../src/runtime/client/credential.js";
import {
  createBareClient,
  createClient,
  download,
  jsonBody,
  method,
  type Call,
  type ClientOptions,
  type Fetch,
  type MediaCall,
} from "../../src/runtime/client/index.js";
import { nodeTransport } from "../../src/runtime/client/node.js";
import { openMedia } from "../../src/runtime/client/open-media.js";
import { upload } from "../../src/runtime/client/upload.js";
import { forEachSeed, type Choices } from "./support/seeds.js";

const SECRET = "S3CRET";

/** Returns everything that a program could log of a value. */
function shown(value: unknown): string {
  const all = [inspect(value, { depth: 9, showHidden: true }), String(value)];
  try {
    all.push(JSON.stringify(value) ?? "");
  } catch {
    // JSON.stringify can't log cycles.
  }
  for (let at = value, left = 5; at instanceof Error && left--; at = at.cause)
    all.push(at.message, at.stack ?? "", inspect(at.cause));
  return all.join("\n");
}

const service = {
  rootUrl: "https://api.example.com/",
  servicePath: "",
  batchPath: "batch",
};
const get = method({ id: "demo.get", path: "x", use: [download] }) as (
  ...rest: unknown[]
) => MediaCall<unknown>;
const post = method({
  id: "demo.post",
  httpMethod: "POST",
  path: "x",
  body: jsonBody,
  use: [upload({ simple: "/up", resumable: "/up", multipart: true })],
}) as (...rest: unknown[]) => Call<unknown>;

function optionsOf({ pick, chance }: Choices): ClientOptions {
  const provider = {
    token: SECRET,
    getRequestHeaders: () => ({ "x-own": SECRET }),
  };
  let options: ClientOptions = {
    retry: pick([false, { delay: 0, attempts: 2 }]),
    ...(chance(0.5) && { apiKey: SECRET }),
    ...(chance(0.3) && { parameters: { access_token: SECRET } }),
    ...(chance(0.3) && { headers: { "x-custom": SECRET } }),
    ...(chance(0.3) && { quotaProject: SECRET }),
    auth: pick([
      SECRET,
      () => SECRET,
      provider,
      undefined,
      `${SECRET}\n`,
      () => `${SECRET}\u0000`,
    ]),
  };
  if (chance(0.3)) options = { ...options, timeout: 5 };
  return options;
}

/** Errors of platforms with everything attached. */
const throws: ((url: string, init: RequestInit) => unknown)[] = [
  (url) => new URL("https://[", url),
  (url) => new URL(`no url ${url}`),
  (url) => {
    throw new TypeError(`Failed to parse URL from ${url}`, { cause: { url } });
  },
  (url, init) => {
    throw Object.assign(new Error("fetch failed"), { url, config: init });
  },
  (url) => {
    const cause = Object.assign(new Error(`connect ${url}`), {
      code: "ECONNRESET",
      url,
    });
    throw new TypeError("fetch failed", { cause });
  },
  (url, init) => {
    throw { url, headers: init.headers };
  },
];

const answers: ((url: string) => Response)[] = [
  () => new Response("{}"),
  () => new Response("<html>", { status: 500 }),
  () => new Response("{", { headers: { "content-type": "application/json" } }),
  () => new Response(null, { status: 302, headers: { location: "https://[" } }),
  () => new Response(null, { status: 302, headers: { location: "/y" } }),
  () => new Response(null, { status: 401 }),
  () => new Response(null, { status: 308, headers: { location: "http://[" } }),
  () => new Response(null, { headers: { location: "https://[" } }),
  () =>
    new Response("--b\r\n\r\nHTTP/1.1 200 OK\r\n\r\n{}\r\n--b--", {
      headers: { "content-type": "multipart/mixed; boundary=b" },
    }),
];

it("fuzz: no secret is in thrown, returned or printed values", async () => {
  await forEachSeed(async (random: Choices) => {
    const { pick, chance } = random;
    const transport: Fetch = async (url, init) => {
      // Real responses have the URL of the request.
      if (chance(0.4)) return pick(throws)(url, init) as Response;
      const response = pick(answers)(url);
      Object.defineProperty(response, "url", {
        value: url,
        configurable: true,
      });
      return response;
    };
    const given = { ...optionsOf(random), transport };
    const rules = pick([
      { name: "X-Key" },
      { in: "query", name: "k" },
    ] as const);
    const options = chance(0.3) ? withCredential(given, rules) : given;
    const values: unknown[] = [];
    const create = chance(0.3) ? createBareClient : createClient;
    const client = create(service, options);
    values.push(client, { client }, [client]);
    const own = chance(0.3) ? { key: SECRET } : {};
    const call = chance(0.6)
      ? get(client, own)
      : post(
          client,
          {
            ...own,
            requestBody: {},
            ...(chance(0.5) && { media: { body: "x" } }),
          },
          { upload: pick(["auto", "resumable"]) },
        );
    values.push(call);
    const work: PromiseLike<unknown> = pick([
      () => call,
      () => call.withResponse(),
      () => (call as MediaCall<unknown>).media?.() ?? call,
      () => ("media" in call ? openMedia(call as MediaCall<unknown>) : call),
      () => batchSettled(client, [get(client, own), call]),
    ])();
    await work.then(
      (value) => values.push(value),
      (error: unknown) => values.push(error),
    );
    for (const value of values) expect(shown(value)).not.toContain(SECRET);
  });
});

it("errors of the real transports for bad URLs have no secrets", async () => {
  for (const transport of [fetch, nodeTransport()] as Fetch[])
    for (const rootUrl of [
      "no url",
      "http://[/",
      "http://a:99999/",
      "ftp://x/",
    ]) {
      const options = { rootUrl, apiKey: SECRET, auth: SECRET, transport };
      const error = await get(createBareClient(service, options)).then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      expect(error).toMatchObject({ name: "ApiError" });
      expect(shown(error)).not.toContain(SECRET);
    }
});

it("a bad rootUrl throws at once without revealing a password", () => {
  for (const rootUrl of [
    "no url",
    "/relative",
    "ftp://api.example.com/",
    `https://user:${SECRET}@api.example.com/`,
    `https://api.example.com/?key=${SECRET}`,
    "https://api.example.com/#x",
  ]) {
    const create = () => createClient(service, { rootUrl });
    expect(create).toThrow("rootUrl must be an absolute http(s) URL");
    expect(create).not.toThrow(SECRET);
  }
});
