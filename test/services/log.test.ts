import { expect, test } from "vitest";
import type { LogLine } from "../../src/services/service.js";
import { services } from "../../src/services/table.js";
import { serve } from "./support.js";

const chatKey = { authorization: "Bearer test-key" };
const json = { "content-type": "application/json" };
const hello = {
  model: "test-model",
  messages: [{ role: "user", content: "Hi" }],
};
const completion = {
  method: "POST",
  headers: { ...chatKey, ...json },
};

/** Log fields of each request; requests without a method id have no route. */
const requests: readonly (readonly [
  target: string,
  sent: RequestInit,
  line: object,
])[] = [
  [
    "/discovery/v1/apis",
    {},
    { service: "directory", method: "discovery.apis.list", status: 200 },
  ],
  // The second response comes from the cache.
  [
    "/discovery/v1/apis",
    {},
    { service: "directory", method: "discovery.apis.list", status: 200 },
  ],
  [
    "/discovery/v1/apis/chat/v1/rest",
    {},
    { service: "directory", method: "discovery.apis.getRest", status: 200 },
  ],
  [
    "/discovery/v1/apis/no/v1/rest",
    {},
    { service: "directory", method: "discovery.apis.getRest", status: 404 },
  ],
  ["/", {}, { service: "directory", method: undefined, status: 200 }],
  [
    "/v1/models",
    { headers: chatKey },
    { service: "chat", method: "chat.models.list", key: "demo", status: 200 },
  ],
  [
    "/v1/models",
    {},
    { service: "chat", method: "chat.models.list", status: 401 },
  ],
  [
    "/v1/chat/completions",
    { ...completion, body: JSON.stringify(hello) },
    {
      service: "chat",
      method: "chat.chat.completions.create",
      key: "demo",
      model: "test-model",
      status: 200,
    },
  ],
  [
    "/v1/chat/completions",
    { ...completion, body: "{" },
    {
      service: "chat",
      method: "chat.chat.completions.create",
      key: "demo",
      status: 400,
      failure: expect.any(String),
    },
  ],
  [
    "/api/items/all?api_key=test-key",
    {},
    { service: "marketplace", method: "marketplace.items.all", status: 200 },
  ],
  [
    "/orgs/example/migrations",
    {},
    {
      service: "migration",
      method: "migration.migrations.listForOrg",
      status: 401,
    },
  ],
  ["/nobody", {}, { service: "host", method: undefined, status: 404 }],
];

test("logs one line for each request of each service", async () => {
  const { origin, log } = await serve({ rows: services, isDemo: true });
  for (const [target, sent, line] of requests) {
    const before = log.length;
    const response = await fetch(origin + target, sent);
    await response.arrayBuffer();
    const lines: LogLine[] = log
      .slice(before)
      .filter(({ event }) => event === "request");
    expect(lines, target).toHaveLength(1);
    expect({ method: undefined, ...lines[0] }).toMatchObject({
      event: "request",
      httpMethod: sent.method ?? "GET",
      ms: expect.any(Number),
      requestId: response.headers.get("x-request-id"),
      ...line,
    });
  }
  expect(JSON.stringify(log)).not.toMatch(/test-key|"Hi"|apis\/no\//);
});

test("logs one line for a stream, and one at its end", async () => {
  const { origin, log } = await serve({ rows: services, isDemo: true });
  const body = JSON.stringify({ ...hello, stream: true });
  const url = `${origin}/v1/chat/completions`;
  const response = await fetch(url, { ...completion, body });
  await response.text();
  const requestId = response.headers.get("x-request-id");
  expect(log.filter((line) => line["requestId"] === requestId)).toMatchObject([
    { event: "request", method: "chat.chat.completions.create", status: 200 },
    { event: "stream", isWhole: true },
  ]);
});
