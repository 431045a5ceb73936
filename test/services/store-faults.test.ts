import { execFileSync } from "node:child_process";
import path from "node:path";
import { build } from "esbuild";
import { beforeAll, describe, expect, test } from "vitest";
import type { Store } from "../../src/services/store/store.js";
import { ROOT, temporaryFolder } from "../support/paths.js";
import { startPostgres } from "../support/postgres.js";
import { rounds } from "../support/full.js";
import { randomOf } from "../support/random-values.js";
import {
  faultyLevel,
  faultyMemory,
  faultyPostgres,
  type FaultyStore,
} from "./faulty-stores.js";

const FAILURES = rounds(200, 40);
const TORN = rounds(50, 15);

/** Possible values of a key: the acknowledged one, and those of writes with unknown outcome. */
type Expected = Map<string, Set<string | undefined>>;

/** Compares the stored values, and records them as acknowledged. */
async function compare(store: Store, expected: Expected): Promise<void> {
  for (const [key, values] of expected) {
    const found = await store.get<string>("faults", key);
    expect(values, `${key} is ${found}`).toContain(found);
    expect(await store.get<string>("twins", key)).toBe(found);
    expected.set(key, new Set([found]));
  }
}

/** Writes pairs with a failure at every operation in turn. */
async function attack({
  store,
  arm,
  disarm,
  reopen,
}: FaultyStore): Promise<void> {
  const next = randomOf(1);
  const expected: Expected = new Map();
  const counts = { failed: 0, acknowledged: 0 };
  for (let round = 0; counts.failed < FAILURES; round++) {
    const key = `key${Math.floor(next() * 8)}`;
    const value = next() < 0.2 ? undefined : `value${round}`;
    arm(round % 12, next() < 0.5);
    const write = store.transaction(async (tx) => {
      await tx.get("faults", key);
      await tx.list("faults", { prefix: "key" });
      for (const table of ["faults", "twins"])
        if (value === undefined) tx.delete(table, key);
        else tx.put(table, key, value);
      await tx.count("faults");
    });
    await write.then(
      () => {
        counts.acknowledged++;
        expected.set(key, new Set([value]));
      },
      () => {
        const known = expected.get(key) ?? new Set([undefined]);
        expected.set(key, known.add(value));
      },
    );
    if (disarm()) counts.failed++;
    // Reads trigger the recovery and may fail during it.
    if (round % 3 === 0) await compare(store, expected);
  }
  expect(counts.acknowledged).toBeGreaterThan(FAILURES / 10);
  const reopened = await reopen();
  await compare(reopened, expected);
  await reopened.close();
}

describe(`loses no acknowledged write in ${FAILURES} failures`, () => {
  test("in memory", () => attack(faultyMemory()));

  test("in LevelDB", async () => attack(await faultyLevel(temporaryFolder())));

  test("in PostgreSQL", async (context) => {
    const postgres = await startPostgres();
    if (postgres === undefined) return context.skip();
    context.onTestFinished(() => postgres.stop());
    await attack(await faultyPostgres(postgres.url));
  });
});

const program = path.join(ROOT, ".tmp/store-faults.mjs");
beforeAll(() =>
  build({
    entryPoints: [path.join(ROOT, "test/services/store-faults.ts")],
    outfile: program,
    bundle: true,
    format: "esm",
    platform: "node",
    external: ["classic-level"],
  }),
);

test.skipIf(process.platform === "win32")(
  "LevelDB loses nothing acknowledged where writes stop in the middle of a record",
  () => {
    // Blocks of 512 bytes: no file may exceed 64 KiB.
    const script = 'ulimit -f 128; exec "$0" "$@"';
    const result = execFileSync(
      "sh",
      ["-c", script, process.execPath, program, temporaryFolder(), `${TORN}`],
      { encoding: "utf8" },
    );
    const { failed, written, problems } = JSON.parse(result) as {
      readonly failed: number;
      readonly written: number;
      readonly problems: readonly string[];
    };
    expect(problems).toEqual([]);
    expect(failed).toBe(TORN);
    expect(written).toBeGreaterThan(TORN);
  },
);
