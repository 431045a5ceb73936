import path from "node:path";
import { rmSync } from "node:fs";
import type { Sink } from "../diagnostics/sink.js";
import { refuseStray } from "../platform/output-path.js";
import { reportUnwritable } from "./document-fetcher.js";
import { updateLock, type LockEntry } from "./lock-file.js";
import type { LockOptions } from "./remote-settings.js";
import { commitStaged, discardStaged, stage } from "./staged-document.js";

/** Change of a stored document, of its lock entry, or of both. */
export interface DocumentChange {
  /** Label of the API. */
  readonly id: string;
  /** New lock entry; null removes the entry. Absent if it does not change. */
  readonly entry?: LockEntry | null;
  /**
   * Path of the document, relative to the working directory. Absent if the
   * document does not change.
   */
  readonly file?: string;
  /** New content of the document; null deletes the file. */
  readonly bytes?: Buffer | null;
}

/**
 * Stores documents and their lock entries, so that later runs can complete what
 * a killed process began: new documents are written next
 * to the old ones, then the lock file is replaced, then the new documents are
 * renamed. A run that finds a new document with the digest of the lock entry
 * renames it (`commitStaged`).
 *
 * Reports files that can't be written. Returns the labels of the stored APIs.
 */
export async function storeDocuments(
  changes: readonly DocumentChange[],
  { cwd, lockFile }: Pick<LockOptions, "cwd" | "lockFile">,
  sink: Sink,
): Promise<ReadonlySet<string>> {
  const staged = changes.filter((change) => stageChange(change, cwd, sink));
  const entries = staged.flatMap(
    ({ id, entry }): [string, LockEntry | undefined][] =>
      entry === undefined ? [] : [[id, entry ?? undefined]],
  );
  try {
    await updateLock(path.resolve(cwd, lockFile), cwd, new Map(entries));
  } catch (error) {
    reportUnwritable(error, lockFile, sink);
    for (const { file } of staged)
      if (file !== undefined) discardStaged(path.resolve(cwd, file));
    return new Set();
  }
  const stored = staged.filter((change) => commit(change, cwd, sink));
  return new Set(stored.map(({ id }) => id));
}

/** Writes a new document next to the old one. If this fails, reports the error. */
function stageChange(
  { file, bytes }: DocumentChange,
  cwd: string,
  sink: Sink,
): boolean {
  if (file === undefined || bytes === undefined) return true;
  return attempt(file, sink, () => {
    const target = path.resolve(cwd, file);
    refuseStray(target, cwd);
    if (bytes !== null) stage(target, bytes);
  });
}

function commit(
  { file, bytes }: DocumentChange,
  cwd: string,
  sink: Sink,
): boolean {
  if (file === undefined || bytes === undefined) return true;
  return attempt(file, sink, () => {
    const target = path.resolve(cwd, file);
    if (bytes === null) rmSync(target, { force: true });
    else commitStaged(target);
  });
}

function attempt(file: string, sink: Sink, action: () => void): boolean {
  try {
    action();
    return true;
  } catch (error) {
    reportUnwritable(error, file, sink);
    return false;
  }
}
