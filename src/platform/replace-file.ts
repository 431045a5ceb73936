import { randomBytes } from "node:crypto";
import {
  closeSync,
  fchmodSync,
  fsyncSync,
  openSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import path from "node:path";
import { linkOrCopy } from "./link-or-copy.js";
import { processState } from "./process.js";

/**
 * Replaces a file atomically: the new content is synced to disk before the
 * rename. The new file has the mode bits of the old file. Throws file system
 * errors; in this case, the old file is unchanged.
 */
export function replaceFile(
  file: string,
  bytes: Uint8Array,
  mode?: number,
): void {
  const target = realFile(file);
  const old = statSync(target, { throwIfNoEntry: false });
  // The process id alone is not unique: in containers, the process that is
  // started after a killed one often has the same id.
  const random = randomBytes(4).toString("hex");
  const temporary = `${target}.${process.pid}.${random}.tmp`;
  try {
    const descriptor = openSync(temporary, "wx", 0o600);
    try {
      writeAll(descriptor, bytes);
      fchmodSync(
        descriptor,
        mode ?? (old === undefined ? 0o644 : old.mode & 0o7777),
      );
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    renameSync(temporary, target);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  syncFolder(path.dirname(target));
}

/** Removes temporary files that killed processes left next to a file. */
export function clearLeftovers(file: string): void {
  const target = realFile(file);
  const folder = path.dirname(target);
  const name = path.basename(target);
  for (const entry of readdirSync(folder)) {
    const isOurs = entry.startsWith(`${name}.`) && entry.endsWith(".tmp");
    const suffix = isOurs ? entry.slice(name.length + 1, -4) : "";
    const pid = /^(\d+)(?:\.[0-9a-f]{8})?$/.exec(suffix)?.[1];
    if (pid === undefined) continue;
    const owner = { pid: Number(pid), started: "" };
    if (processState(owner) === "ended")
      rmSync(path.join(folder, entry), { force: true });
  }
}

/**
 * Creates a backup of a file, as a hard link or copy. Its name is the first of
 * `<file>.bak`, `<file>.bak1`, … that is not in use. Returns this name.
 */
export function backUp(file: string): string {
  const target = realFile(file);
  for (let number = 0; ; number++) {
    const name = `${target}.bak${number === 0 ? "" : number}`;
    try {
      linkOrCopy(target, name);
      return name;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
  }
}

/**
 * Resolves symbolic links, so that the target of a link is replaced and not the
 * link.
 */
function realFile(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return file;
  }
}

function writeAll(descriptor: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length;)
    at += writeSync(descriptor, bytes, at, bytes.length - at);
}

/**
 * Syncs a folder to disk, so that a rename survives a system crash. Some
 * systems do not support this.
 */
function syncFolder(folder: string): void {
  try {
    const descriptor = openSync(folder, "r");
    try {
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  } catch {
    // This error is ignored, because the content of the file is already synced.
  }
}
