import { cpSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import path from "node:path";
import { levelStore } from "../../src/services/store/level.js";
import { StoreError, type Store } from "../../src/services/store/store.js";
import { randomOf } from "../support/random-values.js";

/*
 * Writes until a number of writes have failed: the process may not write files above a
 * size (`ulimit -f`), or the disk is small and other files fill it. After each failure a
 * copy of the folder, which is what a crash would leave, must have what was acknowledged.
 */

const [folder = "", failures = "200", disk = ""] = process.argv.slice(2);
const next = randomOf(7);
/** Acknowledged values by key, and possible values of failed writes. */
const acknowledged = new Map<string, string>();
const unknown = new Map<string, string>();
const problems: string[] = [];
let failed = 0;
let written = 0;
let reads = 0;

const store = await levelStore(path.join(folder, "store"));
for (let round = 0; failed < Number(failures) && round < 40_000; round++) {
  if (disk !== "") fillDisk(round);
  const key = `key${Math.floor(next() * 8)}`;
  const value = `${round} ${"x".repeat(Math.floor(next() * 16_000))}`;
  try {
    await store.transaction(async (tx) => {
      tx.put("faults", key, value);
      tx.put("faults", `${key}-twin`, value);
    });
    acknowledged.set(key, value);
    unknown.delete(key);
    written++;
  } catch (error) {
    if (error instanceof TypeError) throw error;
    failed++;
    unknown.set(key, value);
    if (await isReadable(store)) reads++;
    if (failed % 5 === 0) await checkCopy(round);
  }
}
await store.close().catch(() => {});
if (disk !== "") rmSync(path.join(disk, "filler"), { force: true });
await check(path.join(folder, "store"), "end");
process.stdout.write(JSON.stringify({ failed, written, reads, problems }));

/** Leaves 0 to 32 KiB of free space, or all. */
function fillDisk(round: number): void {
  const filler = path.join(disk, "filler");
  if (round % 8 === 0) return rmSync(filler, { force: true });
  if (round % 8 !== 4) return;
  const { bavail, bsize } = statfsSync(disk);
  const left = Math.floor(next() * 8) * 4096;
  try {
    writeFileSync(filler, Buffer.alloc(Math.max(0, bavail * bsize - left)));
  } catch {
    // Fills the disk completely.
  }
}

async function isReadable(from: Store): Promise<boolean> {
  try {
    await compare(from, "running");
    return true;
  } catch (error) {
    if (error instanceof StoreError) return false;
    throw error;
  }
}

async function checkCopy(round: number): Promise<void> {
  const copy = path.join(process.env["COPY"] ?? folder, `copy${round}`);
  copyStore(copy);
  rmSync(path.join(copy, "LOCK"));
  await check(copy, `round ${round}`);
  rmSync(copy, { recursive: true });
}

/** Copies the folder; again if LevelDB deletes a compacted file meanwhile. */
function copyStore(copy: string): void {
  for (let attempt = 1; ; attempt++) {
    try {
      cpSync(path.join(folder, "store"), copy, { recursive: true });
      return;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code !== "ENOENT" || attempt === 20) throw error;
      rmSync(copy, { recursive: true, force: true });
    }
  }
}

async function check(copy: string, when: string): Promise<void> {
  const reopened = await levelStore(copy);
  await compare(reopened, when);
  await reopened.close();
}

async function compare(from: Store, when: string): Promise<void> {
  for (const [key, value] of acknowledged) {
    const found = await from.get<string>("faults", key);
    const twin = await from.get<string>("faults", `${key}-twin`);
    const isKnown = found === value || found === unknown.get(key);
    if (!isKnown || twin !== found)
      problems.push(`${when}: ${key} is ${found?.slice(0, 8)}`);
  }
}
