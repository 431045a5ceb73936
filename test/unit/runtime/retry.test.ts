import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { jsonBody } from "../../../src/runtime/client/json-body.js";
import type {
  CallOptions,
  ClientOptions,
} from "../../../src/runtime/client/options.js";
import { failure, fullClient, json, make, recorder } from "./helpers.js";

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(Math, "random").mockReturnValue(0.5);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const status = (code: number, headers?: HeadersInit, body: unknown = {}) =>
  json(body, { status: code, headers: headers! });
const broken = () => Promise.reject(new TypeError("fetch failed"));

/** Result of a call and its retry delays. */
async function run(
  answers: (Response | (() => unknown))[],
  options: ClientOptions = {},
  httpMethod = "GET",
  more: CallOptions = {},
) {
  const { sent, fetch } = recorder(...answers);
  const pauses: number[] = [];
  const onRetry = ({ delay }: { delay: number }) => void pauses.push(delay);
  const call = make({ httpMethod, body: jsonBody })(
    fullClient(fetch, {
      retry: { onRetry, ...(options.retry as object) },
      ...options,
    }),
    {},
    more,
  );
  const result = Promise.allSettled([call]);
  await vi.runAllTimersAsync();
  const [end] = await result;
  const error = end.status == "rejected" ? end.reason : undefined;
  return { sent, pauses, error };
}

describe("retry", () => {
  it.each([408, 429, 500, 502, 503, 504, 599])("repeats %i", async (code) => {
    const { sent, pauses, error } = await run([status(code), status(code)]);
    expect(error).toBeUndefined();
    expect(sent).toHaveLength(3);
    expect(pauses).toEqual([500, 1000]);
  });

  it.each([400, 403, 404, 409, 412, 499])(
    "does not repeat %i",
    async (code) => {
      const { sent, error } = await run([status(code)]);
      expect(error).toMatchObject({ kind: "http", status: code });
      expect(sent).toHaveLength(1);
    },
  );

  it.each([
    ["rateLimitExceeded", 2],
    ["userRateLimitExceeded", 2],
    ["RATE_LIMIT_EXCEEDED", 2],
    ["dailyLimitExceeded", 1],
    ["forbidden", 1],
  ])("after 403 %s makes %i attempts", async (reason, count) => {
    const body = { error: { errors: [{ reason }] } };
    const { sent } = await run([status(403, {}, body)]);
    expect(sent).toHaveLength(count);
  });

  it("repeats after no response or an incomplete one", async () => {
    const cut = new ReadableStream({
      pull(controller) {
        controller.error(new TypeError("terminated"));
      },
    });
    const half = new Response(cut, {
      headers: { "content-type": "application/json" },
    });
    const { sent, error } = await run([broken, half]);
    expect(error).toBeUndefined();
    expect(sent).toHaveLength(3);
  });

  it("throws the last error after its attempts", async () => {
    const { sent, error } = await run(
      [status(500), status(501), status(502), status(503), status(504)],
      {},
    );
    expect(sent).toHaveLength(4);
    expect(error).toMatchObject({ kind: "http", status: 503 });
  });

  it.each(["POST", "PATCH"])(
    "repeats %s only with unsafe: true",
    async (httpMethod) => {
      expect((await run([status(503)], {}, httpMethod)).sent).toHaveLength(1);
      const more = { retry: { unsafe: true } };
      expect(
        (await run([status(503)], {}, httpMethod, more)).sent,
      ).toHaveLength(2);
    },
  );

  it.each(["PUT", "DELETE", "HEAD", "OPTIONS"])(
    "repeats %s",
    async (httpMethod) => {
      expect((await run([status(503)], {}, httpMethod)).sent).toHaveLength(2);
    },
  );

  it("uses the retry delay requested by the server", async () => {
    const date = new Date(Date.now() + 7000).toUTCString();
    const { pauses } = await run([
      status(503, { "retry-after": "3" }),
      status(429, { "retry-after-ms": "250", "retry-after": "9" }),
      status(503, { "retry-after": date }),
    ]);
    expect(pauses.slice(0, 2)).toEqual([3000, 250]);
    expect(pauses[2]).toBeGreaterThan(0);
    expect(pauses[2]).toBeLessThanOrEqual(7000);
  });

  it("ignores an invalid retry delay", async () => {
    const { pauses } = await run([
      status(503, { "retry-after": "soon" }),
      status(503, { "retry-after": "-3" }),
    ]);
    expect(pauses).toEqual([500, 1000]);
  });

  it("starts no attempt beyond its budget", async () => {
    const { sent, pauses, error } = await run([
      status(503, { "retry-after": "3600" }),
    ]);
    expect(error).toMatchObject({ status: 503 });
    expect([sent.length, pauses.length]).toEqual([1, 0]);
    const short = { retry: { budget: 600 } };
    expect((await run([broken, broken], short)).sent).toHaveLength(2);
  });

  it("is off for retry: false, and on again for one call", async () => {
    const off = { retry: false } as const;
    expect((await run([broken], off)).sent).toHaveLength(1);
    expect((await run([broken], {}, "GET", off)).sent).toHaveLength(1);
    const on = { retry: {} };
    expect((await run([broken], off, "GET", on)).sent).toHaveLength(2);
  });

  it("calls `when`", async () => {
    const retry = { when: ({ status }: { status?: unknown }) => status == 409 };
    expect((await run([status(409), broken], { retry })).sent).toHaveLength(2);
  });

  it("ends a delay by signal and clears the timer", async () => {
    const { fetch, sent } = recorder(broken);
    const controller = new AbortController();
    const { signal } = controller;
    const call = make()(fullClient(fetch, {}), {}, { signal });
    const error = failure(call);
    await vi.advanceTimersByTimeAsync(100);
    controller.abort("enough");
    expect(await error).toMatchObject({ kind: "abort", cause: "enough" });
    expect([sent.length, vi.getTimerCount()]).toEqual([1, 0]);
  });

  it("limits each attempt", async () => {
    const hang = () => new Promise(() => {});
    const limited = { retry: { attemptTimeout: 1000, attempts: 2 } };
    const { sent, error } = await run([hang, hang], limited);
    expect(sent).toHaveLength(2);
    expect(error).toMatchObject({ kind: "timeout" });
    expect(sent[0]?.init.signal?.aborted).toBe(true);
    expect((await run([hang], limited)).error).toBeUndefined();
  });

  it("does not have facts of an earlier attempt", async () => {
    const retry = { attempts: 2 };
    const { error } = await run([status(503), broken], { retry });
    expect(error).toMatchObject({ kind: "network", status: undefined });
  });
});

describe("after 401", () => {
  it("requests a new token from a function once, for any method", async () => {
    const auth = vi.fn(({ refresh }) => (refresh ? "new" : "old"));
    const { sent, error } = await run([status(401)], { auth }, "POST");
    expect(error).toBeUndefined();
    expect(sent.map(({ headers }) => headers["authorization"])).toEqual([
      "Bearer old",
      "Bearer new",
    ]);
    const again = await run([status(401), status(401)], { auth });
    expect(again.error).toMatchObject({ status: 401 });
    expect(again.sent).toHaveLength(2);
  });

  it("requests headers again from a provider, also with retry: false", async () => {
    const getRequestHeaders = vi.fn(async () => ({ authorization: "a" }));
    const options = { auth: { getRequestHeaders }, retry: false } as const;
    expect((await run([status(401)], options)).sent).toHaveLength(2);
    expect(getRequestHeaders).toHaveBeenCalledTimes(2);
  });

  it("throws with a fixed token or without one", async () => {
    expect((await run([status(401)], { auth: "t" })).sent).toHaveLength(1);
    expect((await run([status(401)])).sent).toHaveLength(1);
  });
});

describe("interceptors", () => {
  it("nest in order around every attempt, without credentials", async () => {
    const seen: string[] = [];
    const layer = (name: string) => async (request: any, next: any) => {
      expect(request.init.headers).not.toHaveProperty("authorization");
      seen.push(`${name} ${request.init.method}`);
      const response = await next(request);
      seen.push(`${name} ${response.status}`);
      return response;
    };
    await run([status(503)], { auth: "t", interceptors: [layer("a")] }, "GET", {
      interceptors: [layer("b")],
    });
    const round = (code: number) => [
      "a GET",
      "b GET",
      `b ${code}`,
      `a ${code}`,
    ];
    expect(seen).toEqual([...round(503), ...round(200)]);
  });

  it("may change the request, return a response, or throw", async () => {
    const { sent } = await run([], {
      interceptors: [
        (request, next) => next({ ...request, url: request.url + "?x=1" }),
      ],
    });
    expect(sent[0]?.target).toBe("/drive/v3/files?x=1");
    const own = await run([], { interceptors: [async () => json([])] });
    expect([own.sent.length, own.error]).toEqual([0, undefined]);
    const bad = await run([], {
      interceptors: [() => Promise.reject(new Error("no"))],
    });
    expect(bad.error).toMatchObject({ name: "ApiError" });
  });
});

describe("client settings", () => {
  it("quotaProject and transport", async () => {
    const own = recorder();
    const { sent, fetch } = recorder();
    await make()(
      fullClient(own.fetch, { quotaProject: "p", transport: fetch }),
    );
    expect(sent[0]?.headers).toMatchObject({ "x-goog-user-project": "p" });
    expect(own.sent).toHaveLength(0);
  });
});
