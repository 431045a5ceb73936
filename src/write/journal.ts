import {
  existsSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";

/** Folder in the output in which a run prepares; gone after it. */
export const STAGING = ".gen-staging";

const JOURNAL = "journal.json";

/** One folder that takes the place of another. */
export interface Swap {
  /** Prepared folder or file, relative to --out. */
  readonly from: string;
  readonly to: string;
  /** Where the old folder waits meanwhile. */
  readonly backup: string;
}

interface Journal {
  readonly swaps: readonly Swap[];
  /** Files that the run writes, so that the next one knows them as ours. */
  readonly claimed: readonly string[];
}

/** Writes down what is about to happen, before it does. */
export function writeJournal(out: string, journal: Journal): void {
  writeFileSync(path.join(out, STAGING, JOURNAL), JSON.stringify(journal));
}

/**
 * Mends what a killed run left: a folder between its two renames comes back,
 * what was prepared goes. Returns the files that the run had written.
 */
export function recover(out: string): Set<string> {
  const staging = path.join(out, STAGING);
  if (!existsSync(staging)) return new Set();
  const journal = readJournal(out);
  for (const { to, backup } of journal.swaps) {
    const target = path.join(out, to);
    const old = path.join(out, backup);
    if (!existsSync(target) && existsSync(old)) renameSync(old, target);
  }
  rmSync(staging, { recursive: true, force: true });
  return new Set(journal.claimed);
}

/** What a killed run had claimed, without touching anything. */
export function claimedBy(out: string): Set<string> {
  return new Set(readJournal(out).claimed);
}

function readJournal(out: string): Journal {
  try {
    return JSON.parse(
      readFileSync(path.join(out, STAGING, JOURNAL), "utf8"),
    ) as Journal;
  } catch {
    return { swaps: [], claimed: [] };
  }
}
