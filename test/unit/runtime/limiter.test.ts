import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { limiter } from "../../../src/runtime/client/limiter.js";
import { failure, fullClient, json, make } from "./helpers.js";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => vi.useRealTimers());

/** Client whose requests are recorded with their time, and end on `finish`. */
function setup(options: Parameters<typeof limiter>[0]) {
  const starts: number[] = [];
  const open: ((response: Response) => void)[] = [];
  const begin = performance.now();
  const quota = limiter(options);
  const create = () =>
    fullClient(
      (_, { signal }) =>
        new Promise((resolve, reject) => {
          starts.push(Math.round(performance.now() - begin));
          open.push(resolve);
          signal?.addEventListener("abort", () => reject(signal.reason));
        }),
      { interceptors: [quota], retry: { delay: 1, attempts: 2 } },
    );
  const finish = async (response: Response = json({})): Promise<void> => {
    open.shift()!(response);
    await vi.advanceTimersByTimeAsync(0);
  };
  return { create, finish, open, starts };
}

it("starts requests at even intervals, for all clients that share it", async () => {
  const { create, starts } = setup({ perSecond: 10 });
  const clients = [create(), create()];
  for (let at = 0; at < 4; at++) void make()(clients[at % 2]!).catch(() => {});
  await vi.advanceTimersByTimeAsync(1000);
  expect(starts).toEqual([0, 100, 200, 300]);
});

it("limits the requests in flight", async () => {
  const { create, finish, open, starts } = setup({ concurrency: 2 });
  const client = create();
  const calls = Array.from({ length: 5 }, () => make()(client));
  await vi.advanceTimersByTimeAsync(0);
  expect(starts.length).toBe(2);
  await finish();
  expect(starts.length).toBe(3);
  await finish();
  await finish();
  expect([starts.length, open.length]).toEqual([5, 2]);
  await finish();
  await finish();
  await Promise.all(calls);
});

it("pauses all requests after retry-after, up to the longest pause", async () => {
  const { create, finish, starts } = setup({ maxPause: 5000 });
  const client = create();
  const first = make()(client);
  await vi.advanceTimersByTimeAsync(0);
  const headers = { "retry-after": "3" };
  await finish(json({}, { status: 429, headers }));
  const second = make()(client);
  await vi.advanceTimersByTimeAsync(2990);
  expect(starts).toEqual([0]);
  await vi.advanceTimersByTimeAsync(20);
  expect(starts).toEqual([0, 3000, 3000]);
  await finish();
  await finish();
  await Promise.all([first, second]);
  const third = failure(make()(client, {}, { retry: false }));
  await vi.advanceTimersByTimeAsync(0);
  await finish(json({}, { status: 503, headers: { "retry-after": "3600" } }));
  expect((await third).status).toBe(503);
  const fourth = make()(client);
  await vi.advanceTimersByTimeAsync(5010);
  await finish();
  await fourth;
});

it("a request that is aborted while it waits frees its slot", async () => {
  const { create, finish, starts } = setup({ concurrency: 1 });
  const client = create();
  const first = make()(client);
  await vi.advanceTimersByTimeAsync(0);
  const late = failure(make()(client, {}, { timeout: 50 }));
  const third = make()(client);
  await vi.advanceTimersByTimeAsync(100);
  expect((await late).kind).toBe("timeout");
  expect(starts.length).toBe(1);
  await finish();
  expect(starts.length).toBe(2);
  await finish();
  await Promise.all([first, third]);
});

it.each([{ perSecond: 0 }, { concurrency: -1 }, { perSecond: NaN }])(
  "%s is a RangeError",
  (options) => {
    expect(() => limiter(options)).toThrow(RangeError);
  },
);
