import { expect, test } from "vitest";
import { dispatcherWithoutTimeouts } from "../../src/services/chat/upstream-call.js";
import { withComments } from "../../src/services/chat/index.js";
import { readUpstream } from "../../src/services/chat/upstream-config.js";
import { upstreamFailure } from "../../src/services/chat/upstream-errors.js";
import { RateLimiter } from "../../src/services/marketplace/rate-limit.js";
import { withoutNulls } from "../../src/services/without-nulls.js";
import { listen } from "../../src/services/host.js";

const UPSTREAM = readUpstream({ baseUrl: "https://up.example/v1" }, "");

test("removes null members, but not in lists nor where null has a meaning", () => {
  const short = (value: unknown): unknown =>
    JSON.parse(withoutNulls(JSON.stringify(value), new Set(["content"])));
  expect(
    short({
      model: "m",
      n: null,
      stop: [null],
      messages: [{ role: "user", content: null, name: null }],
    }),
  ).toEqual({
    model: "m",
    stop: [null],
    messages: [{ role: "user", content: null }],
  });
  for (const text of ["null", '{"a":null', '{"a":"x:null"}', "[null]"])
    expect(withoutNulls(text)).toBe(text);
  const deep = `${'{"a":'.repeat(100_000)}null${"}".repeat(100_000)}`;
  expect(withoutNulls(deep)).toBe(deep);
});

test.each([
  [{ error: { message: "words" } }, "words"],
  [{ error: "words" }, "words"],
  [{ message: "words", code: 400 }, "words"],
  [{ error: "Bad Request", message: "words" }, "words"],
  [{ detail: "words" }, "words"],
  [{ error: "see up.example" }, "The backend rejected the request."],
  [["words"], "The backend rejected the request."],
])("forwards the message of a backend's error %j", (body, message) => {
  const failure = upstreamFailure(400, new Headers(), body, UPSTREAM);
  expect(failure).toMatchObject({ status: 400, message });
});

test("responses without streaming have a timeout of 600 s, independent of streams", () => {
  expect(UPSTREAM).toMatchObject({
    timeout: 60_000,
    responseTimeout: 600_000,
    maxTime: 600_000,
  });
  const long = { baseUrl: "https://up.example", timeout: 900_000 };
  expect(readUpstream(long, "")).toMatchObject({
    responseTimeout: 900_000,
    maxTime: 900_000,
  });
  expect(dispatcherWithoutTimeouts()).toHaveProperty("dispatch");
});

test("the host waits as long as the slowest service may take", async () => {
  const service = {
    paths: ["/"],
    maxDuration: 60_000,
    handle: async () => {
      await new Promise((resolve) => setTimeout(resolve, 300));
      return { status: 200, headers: {}, body: "late" };
    },
    close: async () => {},
  };
  const host = await listen([service], { silence: 50 });
  expect(await (await fetch(host.origin)).text()).toBe("late");
  await host.close();
});

test("inserts comments into an idle stream without losing events", async () => {
  let isReturned = false;
  async function* events(): AsyncGenerator<string> {
    try {
      yield "data: 1\n\n";
      await new Promise((resolve) => setTimeout(resolve, 60));
      yield "data: 2\n\n";
      yield "data: 3\n\n";
    } finally {
      isReturned = true;
    }
  }
  const texts: string[] = [];
  for await (const text of withComments(events(), 5) as AsyncIterable<string>)
    texts.push(text);
  expect(texts).toContain(": keep-alive\n\n");
  expect(texts.filter((text) => text.startsWith("data"))).toEqual([
    "data: 1\n\n",
    "data: 2\n\n",
    "data: 3\n\n",
  ]);
  expect(isReturned).toBe(true);
});

test("refills rate limits after the clock was set back", () => {
  let now = Date.UTC(2026, 0, 2);
  const limiter = new RateLimiter(1, false, () => now);
  const request = {
    request: { remoteAddress: "192.0.2.1", header: () => undefined },
  } as unknown as Parameters<RateLimiter["check"]>[0];
  expect(limiter.check(request)).toBeUndefined();
  expect(limiter.check(request)).toBeDefined();
  now -= 86_400_000;
  expect(limiter.check(request)).toBeUndefined();
  expect(limiter.check(request)!.retryAfter).toBeLessThanOrEqual(60);
});
