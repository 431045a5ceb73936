import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "vitest";
import { ROOT } from "../support/paths.js";

/** Counted work by name. */
export type Counts = Readonly<Record<string, number>>;

const FILE = path.join(ROOT, "test/work/counts.json");
const isRecording = process.env["RECORD_WORK"] === "1";

/** Factor of a recorded count that a run may reach; other counts must not grow. */
const TOLERANCE: Readonly<Record<string, number>> = {
  bytes: 1.05,
  calls: 1.1,
  allocated: 1.3,
  // Depends on the version of Node.
  builtins: 1.2,
};

/** Part of a recorded count below which it must be recorded again. */
const LOWEST = 0.7;

function recorded(): Record<string, Counts> {
  return JSON.parse(readFileSync(FILE, "utf8")) as Record<string, Counts>;
}

/**
 * Compares counts with those in counts.json. Fails if they grew, or shrank so much
 * that the limit would no longer notice a regression. With RECORD_WORK=1, writes them.
 */
export function expectCounts(name: string, counts: Counts): void {
  if (isRecording) {
    const all = Object.entries({ ...recorded(), [name]: counts });
    const sorted = Object.fromEntries(all.sort(([a], [b]) => (a < b ? -1 : 1)));
    writeFileSync(FILE, `${JSON.stringify(sorted, null, 2)}\n`);
    return;
  }
  const limits = recorded()[name];
  if (limits === undefined) throw new Error(`no counts of "${name}"`);
  const wrong = Object.entries(limits).flatMap(([key, limit]) => {
    const count = counts[key] ?? 0;
    const factor = TOLERANCE[key];
    if (count > limit * (factor ?? 1)) return [`${key}: ${count} > ${limit}`];
    if (factor !== undefined && count < limit * LOWEST)
      return [`${key}: ${count} < ${LOWEST} × ${limit}; record it`];
    return [];
  });
  expect(wrong, `${name}; RECORD_WORK=1 records intended changes`).toEqual([]);
  const added = Object.keys(counts).filter((key) => !(key in limits));
  expect(added, `${name}: not recorded`).toEqual([]);
}
