import { expect, it } from "vitest";
import type { LogEntry } from "../../../src/runtime/client/index.js";
import { failure, fullClient, json, make, recorder } from "./helpers.js";

const SECRET = "s3cret";

/** Settings that contain a secret at every position. */
const secrets = {
  auth: SECRET,
  apiKey: SECRET,
  headers: { cookie: SECRET, "x-own": SECRET },
  parameters: { access_token: SECRET },
};

it("logs each attempt", async () => {
  const { fetch } = recorder(json({}, { status: 503 }), json({}));
  const entries: LogEntry[] = [];
  const retry = { delay: 1 };
  const api = fullClient(fetch, { logger: (e) => entries.push(e), retry });
  await make({ httpMethod: "PUT" })(api);
  const common = {
    methodId: "drive.files.list",
    httpMethod: "PUT",
    url: "https://api.example.com/drive/v3/files",
    duration: expect.any(Number),
  };
  expect(entries).toEqual([
    { ...common, attempt: 1, status: 503 },
    { ...common, attempt: 2, status: 200 },
  ]);
});

it("logs failed connections, timeouts and aborts", async () => {
  const entries: LogEntry[] = [];
  const logger = (entry: LogEntry) => entries.push(entry);
  const refused = Object.assign(new Error(`failed ?key=${SECRET}`), {
    code: "ECONNREFUSED",
  });
  const down = recorder(() => Promise.reject(refused));
  const options = { ...secrets, logger, retry: false } as const;
  await failure(make()(fullClient(down.fetch, options)));
  const silent = fullClient((_, { signal }) => {
    return new Promise((__, reject) =>
      signal!.addEventListener("abort", () => reject(signal!.reason)),
    );
  }, options);
  await failure(make()(silent, {}, { timeout: 5 }));
  expect(entries.map(({ error }) => error)).toEqual([
    "ECONNREFUSED",
    expect.stringMatching(/Error$/),
  ]);
  expect(JSON.stringify(entries)).not.toContain(SECRET);
});

it("never logs secrets of options, parameters, queries, responses or redirects", async () => {
  const entries: LogEntry[] = [];
  const location = `https://user:${SECRET}@other.example.com/a?token=${SECRET}`;
  const headers = { location, "set-cookie": SECRET, "x-request-id": SECRET };
  const { fetch, sent } = recorder(
    new Response(null, { status: 302, headers }),
    json({ error: { message: SECRET } }, { status: 400 }),
  );
  const api = fullClient(fetch, {
    ...secrets,
    logger: (entry) => entries.push(entry),
  });
  const options = { query: { key: SECRET }, auth: SECRET };
  await failure(make()(api, { q: SECRET }, options));
  expect(sent).toHaveLength(2);
  expect(entries).toMatchObject([
    { url: "https://api.example.com/drive/v3/files", status: 400 },
  ]);
  expect(JSON.stringify(entries)).not.toContain(SECRET);
});
