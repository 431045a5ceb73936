import { randomBytes } from "node:crypto";
import {
  closeSync,
  constants,
  fstatSync,
  linkSync,
  openSync,
  readSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { makeFolder } from "./folders.js";
import { cacheFolder, FOLDER_NAME, isOwn } from "./user-folder.js";

/** Length of a key file in hexadecimal digits. */
const LENGTH = 64;

/** Key of a user, or the reason why the user has no key. */
export type KeyResult =
  | { readonly key: Buffer }
  | { readonly problem: "absent" | "unusable"; readonly reason: string };

/**
 * Returns the key of this user on this machine; creates the key on first use.
 * The key signs files in directories to which others can write, such as a
 * cloned repository. An unusable key is not replaced; an error with the reason
 * is thrown instead.
 */
export function userKey(env: NodeJS.ProcessEnv): Buffer {
  const folder = cacheFolder(env);
  if (folder === undefined)
    throw new Error("this user has no home folder; set XDG_CACHE_HOME");
  const file = path.join(folder, FOLDER_NAME, "key");
  const existing = readKey(file);
  const isAbsent = "problem" in existing && existing.problem === "absent";
  const result = isAbsent ? createKey(file, "keep") : existing;
  if ("key" in result) return result.key;
  throw new Error(result.reason);
}

/** Reads a key file. Never throws. */
export function readKey(file: string): KeyResult {
  let descriptor: number;
  try {
    // O_NOFOLLOW is needed because an attacker could create a link to a file
    // whose content the attacker knows.
    const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
    descriptor = openSync(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return code === "ENOENT"
      ? { problem: "absent", reason: `${file} does not exist` }
      : unusable(`${file} must be a readable file: ${message}`);
  }
  try {
    const stats = fstatSync(descriptor);
    const bytes = Buffer.alloc(LENGTH + 1);
    const size = stats.isFile() ? readSync(descriptor, bytes) : 0;
    const text = bytes.toString("latin1", 0, size);
    // Git restores only the modes 0644 and 0755, so a key file from a
    // repository is rejected here.
    return isOwn(stats, 0o077) && /^[0-9a-f]{64}$/.test(text)
      ? { key: Buffer.from(text, "hex") }
      : unusable(
          `${file} must be a file of ${LENGTH} hexadecimal digits that only its owner can read (mode 600); delete the file to get a new key`,
        );
  } catch (error) {
    return unusable(`${file} can't be read: ${(error as Error).message}`);
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Creates a key file and returns its key, or the key of another process that
 * created the file first. The file gets its final name after it is complete.
 * Never throws.
 * @param existing treatment of an existing file whose key can't be used: `keep`
 * or `replace`
 */
export function createKey(
  file: string,
  existing: "keep" | "replace",
): KeyResult {
  const temporary = `${file}.${process.pid}.${randomBytes(4).toString("hex")}.tmp`;
  try {
    makeFolder(path.dirname(file), 0o700);
    const text = randomBytes(LENGTH / 2).toString("hex");
    writeFileSync(temporary, text, { flag: "wx", mode: 0o600 });
    linkKey(temporary, file, existing);
  } catch (error) {
    return unusable(
      `${file} can't be created: ${(error as Error).message}; set XDG_CACHE_HOME to a folder that you can write to`,
    );
  } finally {
    removeQuietly(temporary);
  }
  return readKey(file);
}

function linkKey(
  temporary: string,
  file: string,
  existing: "keep" | "replace",
): void {
  try {
    linkSync(temporary, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    if (existing === "keep" || "key" in readKey(file)) return;
    // The old key is damaged or readable by others, so it is replaced. Values
    // that were signed with the old key become invalid.
    rmSync(file, { force: true });
    linkSync(temporary, file);
  }
}

function unusable(reason: string): KeyResult {
  return { problem: "unusable", reason };
}

/** Removes a temporary file. Ignores errors. */
function removeQuietly(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // A temporary file that remains has no effect.
  }
}
