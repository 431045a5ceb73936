import { createHash, randomBytes } from "node:crypto";
import {
  lstatSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { makeFolder } from "../../platform/folders.js";
import { readIf } from "../../platform/plain-file.js";
import { removeQuietly } from "../../platform/remove-quietly.js";
import { isOwn } from "../../platform/user-folder.js";

/** Compiled code of a program, as V8 stores it. */
export interface CachedCode {
  readonly data: Buffer;
  /** Parts of the program, such as targets, whose functions are in the code. */
  readonly parts: readonly string[];
}

/** Maximum number of stored files. Each version of Node.js and of the package has one. */
const MAX_FILES = 6;

/** Length in bytes of the hash at the end of a file. */
const HASH_LENGTH = 32;

/**
 * Returns the stored code of a program; undefined if there is none that can be
 * trusted. V8 executes the code without checks, so the file must belong to the
 * user, and others must have no access to it. The hash detects files damaged by
 * crashes.
 */
export function readCode(folder: string, name: string): CachedCode | undefined {
  try {
    if (!isPrivate(folder)) return undefined;
    const bytes = readOwn(path.join(folder, fileName(name)));
    if (bytes === undefined) return undefined;
    const end = bytes.length - HASH_LENGTH;
    const content = bytes.subarray(0, end);
    if (!hashOf(content).equals(bytes.subarray(end))) return undefined;
    const length = content.readUInt32LE(end - 4);
    const start = end - 4 - length;
    const parts = content.toString("latin1", start, end - 4).split(" ");
    return { data: content.subarray(0, start), parts };
  } catch {
    return undefined;
  }
}

/**
 * Stores the code of a program for later processes. Does nothing if the folder
 * is not private or can't be written to.
 */
export function writeCode(
  folder: string,
  name: string,
  { data, parts }: CachedCode,
): void {
  const file = path.join(folder, fileName(name));
  const random = randomBytes(4).toString("hex");
  const temporary = `${file}.${process.pid}.${random}.tmp`;
  try {
    makeFolder(folder, 0o700);
    if (!isPrivate(folder)) return;
    const list = Buffer.from(parts.join(" "), "latin1");
    const length = Buffer.alloc(4);
    length.writeUInt32LE(list.length);
    const content = Buffer.concat([data, list, length]);
    const bytes = Buffer.concat([content, hashOf(content)]);
    writeFileSync(temporary, bytes, { flag: "wx", mode: 0o600 });
    renameSync(temporary, file);
    removeOld(folder);
  } catch {
    // This error is ignored, because a start without stored code only takes
    // longer.
    removeQuietly(temporary);
  }
}

function fileName(name: string): string {
  return `${name}-${process.version}-${process.arch}`;
}

/** Tests whether only this user can write to a folder and its parent folder. */
function isPrivate(folder: string): boolean {
  return [path.dirname(folder), folder].every((name) => {
    const stats = lstatSync(name, { throwIfNoEntry: false });
    return stats?.isDirectory() === true && isOwn(stats, 0o022);
  });
}

/** Reads a file; returns undefined if other users can access it. */
function readOwn(file: string): Buffer | undefined {
  return readIf(
    file,
    (stats) => isOwn(stats, 0o077),
    (descriptor) => readFileSync(descriptor),
  );
}

function hashOf(content: Uint8Array): Buffer {
  return createHash("sha256").update(content).digest();
}

/** Removes the oldest files if there are more than MAX_FILES. */
function removeOld(folder: string): void {
  const files = readdirSync(folder).map((name) => {
    const file = path.join(folder, name);
    return { file, time: statSync(file).mtimeMs };
  });
  const old = files.sort((a, b) => b.time - a.time).slice(MAX_FILES);
  for (const { file } of old) rmSync(file, { force: true });
}
