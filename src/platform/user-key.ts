import { randomBytes } from "node:crypto";
import {
  closeSync,
  constants,
  fstatSync,
  linkSync,
  mkdirSync,
  openSync,
  readSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { cacheFolder } from "./user-folder.js";

/** Length of the key's file, in hexadecimal digits. */
const LENGTH = 64;

/**
 * Returns the key of this user on this machine, and creates it on first use. It
 * seals files that lie in folders that others can write to, such as a cloned
 * repository. Throws with a reason.
 */
export function userKey(env: NodeJS.ProcessEnv): Buffer {
  const folder = cacheFolder(env);
  if (folder === undefined)
    throw new Error("this user has no home folder; set XDG_CACHE_HOME");
  const file = path.join(folder, "discovery-codegen", "key");
  return readKey(file) ?? createKey(file);
}

/** Undefined where there is no key yet. */
function readKey(file: string): Buffer | undefined {
  let descriptor: number;
  try {
    // NOFOLLOW: a link could lead to a file whose content others know.
    const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
    descriptor = openSync(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw new Error(
      `${file} must be a readable file: ${(error as Error).message}`,
    );
  }
  try {
    const stats = fstatSync(descriptor);
    const isOwn =
      process.getuid === undefined || stats.uid === process.getuid();
    const isPrivate =
      process.platform === "win32" || (stats.mode & 0o077) === 0;
    const key = Buffer.alloc(LENGTH + 1);
    const size = stats.isFile() ? readSync(descriptor, key) : 0;
    const text = key.toString("latin1", 0, size);
    if (!isOwn || !isPrivate || !/^[0-9a-f]{64}$/.test(text))
      throw new Error(
        `${file} must be a file of ${LENGTH} hexadecimal digits that only its owner can read (mode 600); delete it to get a new key`,
      );
    return Buffer.from(text, "hex");
  } finally {
    closeSync(descriptor);
  }
}

/** The first of two processes wins: a link is only made where there is no file. */
function createKey(file: string): Buffer {
  const temporary = `${file}.${process.pid}.${randomBytes(4).toString("hex")}.tmp`;
  try {
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    const text = randomBytes(LENGTH / 2).toString("hex");
    writeFileSync(temporary, text, { flag: "wx", mode: 0o600 });
    linkSync(temporary, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST")
      throw new Error(
        `${file} can't be created: ${(error as Error).message}; set XDG_CACHE_HOME to a folder that you can write to`,
      );
  } finally {
    rmSync(temporary, { force: true });
  }
  const key = readKey(file);
  if (key === undefined) throw new Error(`${file} was deleted`);
  return key;
}
