import fs from "node:fs";
import path from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { demo, start } from "../../src/services/chat/index.js";
import { ConfigError } from "../../src/services/service.js";
import { temporaryFolder } from "../support/paths.js";
import { ask, contextOf, hashed, KEYS, post, serve } from "./chat-support.js";

afterEach(() => void vi.unstubAllEnvs());

const models = { "test-model": "echo" };
const upstream = (more: object): object => ({
  keys: KEYS,
  models: {
    m: { upstream: { baseUrl: "https://api.example.com/v1", ...more } },
  },
});
const upstreams = (...list: object[]): object => ({
  keys: KEYS,
  models: { m: { upstreams: list } },
});
const scripted = (rule: object): object => ({
  keys: KEYS,
  models: { m: { scripted: { rules: [rule] } } },
});

/** Invalid config, position of the mistake, and part of the message. */
const WRONG: [unknown, string, string][] = [
  [undefined, "", "requires a config with keys and models"],
  [[], "", "must be an object"],
  [{ kees: [], models }, "/kees", "did you mean keys?"],
  [{ keys: [], models }, "/keys", "sha256sum"],
  [{ keys: {}, models }, "/keys", "must be a list"],
  [{ keys: [{ key: hashed("a") }], models }, "/keys/0/name", "is required"],
  [{ keys: [{ name: "a" }], models }, "/keys/0/key", "or env"],
  [
    { keys: [{ name: "a", key: "sk-secret" }], models },
    "/keys/0/key",
    "must be a hash",
  ],
  [
    { keys: [{ name: "a", key: hashed("a"), env: "A" }], models },
    "/keys/0/key",
    "key and env can't be used together",
  ],
  [
    { keys: [{ name: "a", env: "NOT_THERE" }], models },
    "/keys/0/env",
    '"NOT_THERE", which is not set',
  ],
  [
    { keys: [...KEYS, ...KEYS], models },
    "/keys/1",
    "duplicate of an earlier key",
  ],
  [
    { keys: [{ ...KEYS[0], models: ["tset-model"] }], models },
    "/keys/0/models/0",
    "unknown model",
  ],
  [
    { keys: [{ ...KEYS[0], limits: { requestsPerMinute: 0 } }], models },
    "/keys/0/limits/requestsPerMinute",
    "integer from 1",
  ],
  [{ keys: KEYS }, "/models", "at least one model"],
  [{ keys: KEYS, models: { "a b": "echo" } }, "/models/a b", "without spaces"],
  [
    { keys: KEYS, models: { "a/b": "ecko" } },
    "/models/a~1b/ecko",
    "did you mean echo?",
  ],
  [{ keys: KEYS, models: { a: {} } }, "/models/a", "must have exactly one of"],
  [
    { keys: KEYS, models, limits: { bodySize: "1" } },
    "/limits/bodySize",
    "integer",
  ],
  [{ keys: KEYS, models, cors: {} }, "/cors/origins", "must be"],
  [upstream({ baseUrl: "ftp://a" }), "/models/m/upstream/baseUrl", "http"],
  [
    upstream({ baseUrl: "https://u:p@a/" }),
    "/models/m/upstream/baseUrl",
    "use keyEnv",
  ],
  [
    upstream({ baseUrl: "https://a/?b" }),
    "/models/m/upstream/baseUrl",
    "query",
  ],
  [
    upstream({ keyEnv: "NOT_THERE" }),
    "/models/m/upstream/keyEnv",
    "is not set",
  ],
  [upstream({ timeout: 0 }), "/models/m/upstream/timeout", "from 1"],
  [upstream({ key: "sk-secret" }), "/models/m/upstream/key", "unknown member"],
  [
    upstream({ headers: { "api-key": 5 } }),
    "/models/m/upstream/headers/api-key",
    "must be a string, or env: NAME",
  ],
  [
    upstream({ headers: { "api-key": { env: "NOT_THERE" } } }),
    "/models/m/upstream/headers/api-key/env",
    "is not set",
  ],
  [
    upstream({ headers: { Host: "a" } }),
    "/models/m/upstream/headers/Host",
    "set by the service",
  ],
  [
    upstream({ headers: { "a/b": "a" } }),
    "/models/m/upstream/headers/a~1b",
    "not the name of a header",
  ],
  [
    upstream({ headers: { a: "b\r\nc: d" } }),
    "/models/m/upstream/headers/a",
    "visible ASCII",
  ],
  [
    upstream({ query: { a: ["b"] } }),
    "/models/m/upstream/query/a",
    "must be a string",
  ],
  [
    upstream({ paths: { completions: "chat" } }),
    "/models/m/upstream/paths/completions",
    "must start with a slash",
  ],
  [
    upstream({ paths: { chat: "/chat" } }),
    "/models/m/upstream/paths/chat",
    "allowed members: completions, embeddings",
  ],
  [upstream({ weight: 1 }), "/models/m/upstream/weight", "unknown member"],
  [upstreams(), "/models/m/upstreams", "a list of 1 to 32 back ends"],
  [
    upstreams({ baseUrl: "a" }),
    "/models/m/upstreams/0/baseUrl",
    "http or https",
  ],
  [
    upstreams({ baseUrl: "https://a" }, { baseUrl: "https://b", weight: -1 }),
    "/models/m/upstreams/1/weight",
    "from 0",
  ],
  [
    upstreams({ baseUrl: "https://a", breaker: { failures: 0 } }),
    "/models/m/upstreams/0/breaker/failures",
    "from 1",
  ],
  [
    upstreams({ baseUrl: "https://a", breaker: { pauze: 1 } }),
    "/models/m/upstreams/0/breaker/pauze",
    "did you mean pause?",
  ],
  [
    upstreams({ baseUrl: "https://a", name: "2" }, { baseUrl: "https://b" }),
    "/models/m/upstreams/1/name",
    "must differ",
  ],
  [
    { keys: [{ ...KEYS[0], name: "a\0b" }], models },
    "/keys/0/name",
    "no control characters",
  ],
  [
    { keys: [{ ...KEYS[0], owner: "a b" }], models },
    "/keys/0/owner",
    "letters",
  ],
  [
    { keys: [{ ...KEYS[0], budgets: { tokensPerWeek: 1 } }], models },
    "/keys/0/budgets/tokensPerWeek",
    "allowed members: tokensPerDay, tokensPerMonth",
  ],
  [
    { keys: [{ ...KEYS[0], budgets: { tokensPerDay: -1 } }], models },
    "/keys/0/budgets/tokensPerDay",
    "integer from 0",
  ],
  [
    scripted({}),
    "/models/m/scripted/rules/0",
    "must have at least one of answer",
  ],
  [
    scripted({ answer: "a", when: { regex: "a" } }),
    "/models/m/scripted/rules/0/when/regex",
    "unknown member",
  ],
  [
    scripted({ answer: "a", when: { pattern: "(" } }),
    "/models/m/scripted/rules/0/when/pattern",
    "supported regular expression",
  ],
  [
    scripted({ error: { status: 200 } }),
    "/models/m/scripted/rules/0/error/status",
    "from 400 to 599",
  ],
  [
    scripted({ error: { headers: { "content-length": "1" } } }),
    "/models/m/scripted/rules/0/error/headers",
    "may contain only",
  ],
  [
    { keys: KEYS, models: { m: { scripted: { file: "not-there.yaml" } } } },
    "/models/m/scripted/file",
    "can't be read",
  ],
];

test.each(WRONG)("%j is wrong", async (config, pointer, words) => {
  const error = await start(contextOf(config)).catch(
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(ConfigError);
  expect(error).toMatchObject({
    pointer,
    message: expect.stringContaining(words),
  });
  expect((error as Error).message).not.toContain("sk-secret");
});

test("reads a key from an environment variable", async () => {
  vi.stubEnv("CHAT_TEST_KEY", "from-the-environment");
  const { origin } = await serve({
    keys: [{ name: "a", env: "CHAT_TEST_KEY" }],
    models,
  });
  const authorization = "Bearer from-the-environment";
  expect((await post(origin, ask("a"), { authorization })).status).toBe(200);
  expect((await post(origin, ask("a"))).status).toBe(401);
});

test("reads a script from a YAML file", async () => {
  const file = path.join(temporaryFolder(), "script.yaml");
  fs.writeFileSync(
    file,
    "rules:\n  - when: { contains: weather }\n    answer: Sunny.\n  - answer: What?\n",
  );
  const { origin } = await serve({
    keys: KEYS,
    models: { "test-model": { scripted: { file } } },
  });
  const say = async (content: string): Promise<unknown> =>
    ((await (await post(origin, ask(content))).json()) as { choices: object[] })
      .choices[0];
  expect(await say("the weather?")).toMatchObject({
    message: { content: "Sunny." },
  });
  expect(await say("what else?")).toMatchObject({
    message: { content: "What?" },
  });
});

test("reports a mistake in a script file with its position", async () => {
  const file = path.join(temporaryFolder(), "script.json");
  fs.writeFileSync(file, '{"rules":[{"anwser":"a"}]}');
  const config = { keys: KEYS, models: { m: { scripted: { file } } } };
  await expect(start(contextOf(config))).rejects.toMatchObject({
    pointer: "/models/m/scripted/file",
    message: expect.stringContaining("at /rules/0/anwser in the script"),
  });
});

test("serves the demo with its printed requests", async () => {
  const { config, help } = await demo();
  expect(JSON.stringify(config)).not.toContain("test-key");
  const { origin } = await serve(config as object);
  expect((await post(origin, ask("a"))).status).toBe(200);
  expect(help(origin).join("\n")).toContain(`${origin}/v1/chat/completions`);
});

test("allows configured origins of pages", async () => {
  const { origin } = await serve({
    keys: KEYS,
    models,
    cors: { origins: "*" },
  });
  const headers = {
    origin: "https://page.example",
    "access-control-request-method": "POST",
    "access-control-request-headers": "authorization, x-stainless-os",
  };
  const asked = await fetch(`${origin}/v1/chat/completions`, {
    method: "OPTIONS",
    headers,
  });
  expect(asked.status).toBe(204);
  expect(asked.headers.get("access-control-allow-headers")).toContain(
    "x-stainless-os",
  );
  const answer = await post(origin, ask("a"), { origin: headers.origin });
  expect(answer.headers.get("access-control-allow-origin")).toBe("*");
  expect(answer.headers.get("access-control-expose-headers")).toContain(
    "x-request-id",
  );
});
