import { expect, it } from "vitest";
import { batchSettled } from "../../../src/runtime/client/batch.js";
import type { CallOptions } from "../../../src/runtime/client/index.js";
import { requestId } from "../../../src/runtime/client/request-id.js";
import { withRetries } from "../../../src/runtime/client/with-retries.js";
import {
  client,
  failure,
  fullClient,
  json,
  make,
  recorder,
  type Sent,
} from "./helpers.js";

const insert = make({ httpMethod: "POST", use: [requestId] });
const busy = () => json({}, { status: 503 });
const retry = { delay: 1 };
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

const ids = (sent: readonly Sent[]) =>
  sent.map(({ url }) => new URL(url).searchParams.get("requestId"));

it("is a random UUID, which all attempts of a call share", async () => {
  const { sent, fetch } = recorder(busy, busy, json({ id: 1 }), busy, json({}));
  const api = fullClient(fetch, { retry });
  expect(await insert(api, { project: "p" })).toEqual({ id: 1 });
  await insert(api);
  const [first, second, third, fourth, fifth] = ids(sent);
  expect(first).toMatch(UUID);
  expect([second, third]).toEqual([first, first]);
  expect(fourth).toMatch(UUID);
  expect(fourth).not.toBe(first);
  expect(fifth).toBe(fourth);
});

it("is that of the caller, if there is one", async () => {
  const { sent, fetch } = recorder(busy, json({}));
  await insert(fullClient(fetch, { retry }), { requestId: "own" });
  expect(ids(sent)).toEqual(["own", "own"]);
});

it.each<[string, object, CallOptions]>([
  ["the client has requestIds: false", { requestIds: false }, {}],
  ["the client has retry: false", { retry: false }, {}],
  ["the call has retry: false", {}, { retry: false }],
  ["the call has unsafe: false", {}, { retry: { unsafe: false } }],
])("is not a reason to retry if %s", async (name, settings, options) => {
  const { sent, fetch } = recorder(busy);
  const api = fullClient(fetch, { retry, ...settings });
  expect(await failure(insert(api, {}, options))).toMatchObject({
    status: 503,
  });
  const [id, ...others] = ids(sent);
  expect(others).toEqual([]);
  if (name.includes("requestIds")) expect(id).toBeNull();
  else expect(id).toMatch(UUID);
});

it("is sent by bare clients, and retried with withRetries", async () => {
  const { sent, fetch } = recorder(json({}), busy, json({}));
  const bare = client(fetch);
  await insert(bare);
  await insert(withRetries(bare, retry));
  const [first, second, third] = ids(sent);
  expect(first).toMatch(UUID);
  expect(third).toBe(second);
});

it("makes a batch repeatable", async () => {
  const { sent, fetch } = recorder(busy, busy);
  const api = fullClient(fetch, { retry }, { batchPath: "batch" });
  await batchSettled(api, [insert(api)], { retry: { ...retry, attempts: 2 } });
  expect(sent).toHaveLength(2);
  expect(sent[0]!.init.body).toContain("?requestId=");
  expect(sent[1]!.init.body).toBe(sent[0]!.init.body);
  const plain = make({ httpMethod: "POST" });
  await batchSettled(api, [insert(api), plain(api)], { retry });
  expect(sent).toHaveLength(3);
});
