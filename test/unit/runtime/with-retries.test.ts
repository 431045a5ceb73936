import { describe, expect, it } from "vitest";
import { inspect } from "node:util";
import { withRetries } from "../../../src/runtime/client/with-retries.js";
import type { TokenRequest } from "../../../src/runtime/client/auth.js";
import type { CallOptions, Fetch } from "../../../src/runtime/client/index.js";
import { client, failure, json, make, recorder } from "./helpers.js";

const busy = () => json({}, { status: 503 });

describe("a bare client with retries", () => {
  it("retries idempotent methods after transient errors", async () => {
    const { sent, fetch } = recorder(busy(), busy(), json({ id: 1 }));
    const attempts: number[] = [];
    const api = withRetries(client(fetch), {
      delay: 1,
      onRetry: ({ attempt }) => attempts.push(attempt),
    });
    expect(await make()(api)).toEqual({ id: 1 });
    expect(sent).toHaveLength(3);
    expect(attempts).toEqual([1, 2]);
  });

  it.each<[string, string, CallOptions, () => Response]>([
    ["POST", "POST", {}, () => busy()],
    ["a setting of the call", "GET", { retry: false }, () => busy()],
    ["status 404", "GET", {}, () => json({}, { status: 404 })],
    ["status 401", "GET", {}, () => json({}, { status: 401 })],
    [
      "a delay above the budget",
      "GET",
      { retry: { budget: 1000 } },
      () => json({}, { status: 503, headers: { "retry-after": "2" } }),
    ],
  ])("makes one attempt for %s", async (_, httpMethod, options, answer) => {
    const { sent, fetch } = recorder(answer());
    const api = withRetries(client(fetch), { delay: 1 });
    const call = make({ httpMethod })(api, {}, options);
    expect(await failure(call)).toMatchObject({ kind: "http" });
    expect(sent).toHaveLength(1);
  });

  it("limits the attempts, which a call can change", async () => {
    const { sent, fetch } = recorder(busy(), busy(), busy());
    const api = withRetries(client(fetch), { delay: 1 });
    const call = make()(api, {}, { retry: { attempts: 3 } });
    expect(await failure(call)).toMatchObject({ status: 503 });
    expect(sent).toHaveLength(3);
  });

  it("renews credentials and limits the time of an attempt", async () => {
    const { sent, fetch } = recorder(json({}, { status: 401 }), json({}));
    const auth = ({ refresh }: TokenRequest) => (refresh ? "b" : "a");
    await make()(withRetries(client(fetch, { auth })));
    expect(sent.map(({ headers }) => headers["authorization"])).toEqual([
      "Bearer a",
      "Bearer b",
    ]);
    const waiting: Fetch = (_, { signal }) =>
      new Promise((_resolve, reject) => {
        signal!.addEventListener("abort", () => reject(signal!.reason));
      });
    const settings = { attemptTimeout: 5, attempts: 1 };
    const never = withRetries(client(waiting), settings);
    expect(await failure(make()(never))).toMatchObject({ kind: "timeout" });
  });

  it("ends a delay when the signal aborts or the call times out", async () => {
    const { fetch } = recorder(busy(), busy());
    const api = withRetries(client(fetch), { delay: 1e9, budget: Infinity });
    const late = make()(api, {}, { timeout: 5 });
    expect(await failure(late)).toMatchObject({ kind: "timeout" });
    const controller = new AbortController();
    const { signal } = controller;
    const stopped = make()(api, {}, { signal });
    setTimeout(() => controller.abort("enough"), 5);
    expect(await failure(stopped)).toMatchObject({ kind: "abort" });
  });

  it("hides its settings", () => {
    const api = withRetries(client(recorder().fetch, { auth: "secret" }));
    expect(inspect(api, { showHidden: true })).not.toContain("secret");
  });
});
