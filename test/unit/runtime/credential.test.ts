import { expect, test } from "vitest";
import {
  createClient,
  method,
  type Client,
  type ClientOptions,
} from "../../../src/runtime/client/index.js";
import {
  credential,
  withCredential,
  type CredentialRules,
} from "../../../src/runtime/client/credential.js";

const service = { rootUrl: "https://api.example.com/", servicePath: "" };
const key: CredentialRules = { name: "X-Key" };
const get = method({ id: "demo.get", path: "x" });

/** Client whose transport returns responses in order and records requests. */
function clientOf(
  rules: CredentialRules | undefined,
  options: ClientOptions,
  ...answers: (() => Response)[]
): { client: Client; asked: [string, Record<string, string>][] } {
  const asked: [string, Record<string, string>][] = [];
  const transport: ClientOptions["transport"] = async (url, init) => {
    asked.push([url, { ...(init.headers as Record<string, string>) }]);
    const answer = answers[asked.length - 1];
    return answer ? answer() : new Response("{}");
  };
  const settings = withCredential({ ...options, transport }, rules);
  return { client: createClient(service, settings), asked };
}

const away = (location: string) => () =>
  new Response(null, { status: 302, headers: { location } });

test("a credential is sent in a header, with or without scheme; a header of the caller overrides it", async () => {
  const bare = clientOf(key, { auth: "secret" });
  await get(bare.client);
  await get(bare.client, {}, { headers: { "x-key": "own" } });
  expect(bare.asked.map(([, headers]) => headers)).toEqual([
    { "x-key": "secret" },
    { "x-key": "own" },
  ]);
  const word = clientOf(
    { name: "Authorization", scheme: "token" },
    {
      auth: () => "secret",
    },
  );
  await get(word.client);
  expect(word.asked[0]![1]).toEqual({ authorization: "token secret" });
  const headers = { getRequestHeaders: () => ({ "x-own": "1" }) };
  const own = clientOf(key, { auth: headers });
  await get(own.client);
  expect(own.asked[0]![1]).toEqual({ "x-own": "1" });
});

test("without a credential nothing is sent", async () => {
  const nobody = clientOf(key, { auth: () => undefined });
  await get(nobody.client);
  await get(clientOf(key, {}).client);
  expect(nobody.asked).toEqual([["https://api.example.com/x", {}]]);
});

test("an invalid credential is an error that does not show it", async () => {
  const { client, asked } = clientOf(key, { auth: "se\ncret" });
  const error = await get(client).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ kind: "request" });
  expect(`${String(error)}${JSON.stringify(error)}`).not.toContain("cret");
  expect(asked).toEqual([]);
});

test("the credential header is not sent to another origin after a redirect", async () => {
  const { client, asked } = clientOf(
    key,
    { auth: "secret" },
    away("/y"),
    away("https://other.example.com/z"),
    away("https://api.example.com/back"),
  );
  await get(client);
  expect(asked).toEqual([
    ["https://api.example.com/x", { "x-key": "secret" }],
    ["https://api.example.com/y", { "x-key": "secret" }],
    ["https://other.example.com/z", {}],
    ["https://api.example.com/back", {}],
  ]);
});

test("a redirect is followed if its body can't be cancelled", async () => {
  const broken = () => {
    const cancel = () => Promise.reject(new Error("connection lost"));
    const headers = { location: "/y" };
    return new Response(new ReadableStream({ cancel }), {
      status: 302,
      headers,
    });
  };
  const options = { auth: "secret", retry: false } as const;
  const { client, asked } = clientOf(key, options, broken);
  await get(client);
  expect(asked.map(([url]) => url)).toEqual([
    "https://api.example.com/x",
    "https://api.example.com/y",
  ]);
});

test("headers of the caller are not sent to another origin after a redirect", async () => {
  const { client, asked } = clientOf(
    key,
    { auth: "secret", headers: { cookie: "c=1" } },
    away("https://other.example.com/z"),
  );
  await get(client, {}, { headers: { "x-trace": "1" } });
  expect(asked).toEqual([
    [
      "https://api.example.com/x",
      {
        "x-key": "secret",
        cookie: "c=1",
        "x-trace": "1",
      },
    ],
    ["https://other.example.com/z", {}],
  ]);
});

test("a platform that hides redirects follows without the header", async () => {
  const hidden = () =>
    Object.defineProperty(Response.error(), "type", {
      value: "opaqueredirect",
    });
  const { client, asked } = clientOf(key, { auth: "secret" }, hidden);
  await get(client);
  expect(asked.map(([, headers]) => headers)).toEqual([
    { "x-key": "secret" },
    {},
  ]);
});

test("a method may send the credential at another position or not at all", async () => {
  const { client, asked } = clientOf(key, { auth: "secret" });
  const use = (rules?: CredentialRules) =>
    method({ id: "demo.get", path: "x", use: [credential(rules)] });
  await use()(client);
  await use({ in: "query", name: "k" })(client);
  await use({ name: "Authorization", scheme: "Bearer" })(client);
  expect(asked).toEqual([
    ["https://api.example.com/x", {}],
    ["https://api.example.com/x?k=secret", {}],
    ["https://api.example.com/x", { authorization: "Bearer secret" }],
  ]);
});
