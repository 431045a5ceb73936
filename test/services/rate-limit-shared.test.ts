import { afterEach, expect, test, vi } from "vitest";
import pg from "pg";
import {
  sharedRateLimiter,
  type RateLimitCheck,
} from "../../src/services/marketplace/rate-limit.js";
import { postgresStore } from "../../src/services/store/postgres.js";
import { startPostgres } from "../support/postgres.js";
import { serve } from "./support.js";

afterEach(() => vi.restoreAllMocks());

/** Runs a function with a clock that differs by a number of milliseconds. */
async function withClock<T>(offset: number, run: () => Promise<T>): Promise<T> {
  const { now } = Date;
  const spy = vi.spyOn(Date, "now").mockImplementation(() => now() + offset);
  try {
    return await run();
  } finally {
    spy.mockRestore();
  }
}

const HOUR = 3_600_000;

test("processes with different clocks count requests together", async (context) => {
  const postgres = await startPostgres();
  if (postgres === undefined) return context.skip();
  context.onTestFinished(() => postgres.stop());
  const clocks = [0, HOUR, -HOUR];
  const request = {
    request: { header: () => undefined, remoteAddress: "192.0.2.7" },
  } as never;
  const limiters = await Promise.all(
    clocks.map(async () => postgresStore(postgres.url)),
  );
  const checks: RateLimitCheck[] = [];
  for (const [at, store] of limiters.entries())
    checks.push(
      await withClock(clocks[at]!, () =>
        sharedRateLimiter({ rows: store.rows, time: store.time! }, 9, false),
      ),
    );
  const results = [];
  for (let count = 0; count < 12; count++) {
    const at = count % 3;
    results.push(
      await withClock(clocks[at]!, async () => checks[at]!(request)),
    );
  }
  expect(results.slice(0, 9)).toEqual(Array(9).fill(undefined));
  for (const limit of results.slice(9)) {
    expect(limit!.retryAfter).toBeGreaterThan(50);
    expect(limit!.retryAfter).toBeLessThan(61);
  }
  // After the window, requests are accepted again. The row is shared, so one
  // process that accepts is enough; the others remember their refusal.
  const client = new pg.Client(postgres.url);
  await client.connect();
  await client.query("UPDATE gen_rate_limits SET expire = expire - 60000");
  await client.end();
  const fresh = await sharedRateLimiter(
    { rows: limiters[0]!.rows, time: limiters[0]!.time! },
    9,
    false,
  );
  expect(await fresh(request)).toBeUndefined();
  for (const store of limiters) await store.close();
});

test("servers on one database share the limit of an address", async (context) => {
  const postgres = await startPostgres();
  if (postgres === undefined) return context.skip();
  context.onTestFinished(() => postgres.stop());
  const settings = "marketplace: { requestsPerMinute: 10, processes: 2 }";
  const servers = [
    await serve({ store: postgres.url, isDemo: true, settings }),
    await serve({ store: postgres.url, isDemo: true, settings }),
  ];
  const statuses: number[] = [];
  for (let count = 0; count < 14; count++) {
    const { origin } = servers[count % 2]!;
    const url = `${origin}/api/account/details?api_key=test-key`;
    const response = await fetch(url);
    statuses.push(response.status);
    if (response.status === 429)
      expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(30);
  }
  expect(statuses).toEqual([...Array(10).fill(200), ...Array(4).fill(429)]);
});
