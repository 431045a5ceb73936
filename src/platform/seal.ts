import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import {
  linkSync,
  lstatSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { readPlainFile } from "./plain-file.js";
import { isOwn, userFolder } from "./user-folder.js";

/** Length of the key, in hexadecimal digits. */
const KEY_LENGTH = 64;

/** Key of a process that has no folder of its user's; gone with the process. */
let temporaryKey: Buffer | undefined;

/** Keys that were read, by folder. */
const keys = new Map<string, Buffer>();

/**
 * Wraps a value as text that this user's runs recognise as their own, for one
 * output folder. Files found in an output folder may come from a repository:
 * whoever made that does not have the key.
 */
export function sealed(purpose: string, out: string, value: unknown): string {
  const content = JSON.stringify(value);
  const key = keyOf(out, true) ?? (temporaryKey ??= randomBytes(32));
  const seal = macOf(key, purpose, out, content).toString("base64url");
  return JSON.stringify({ seal, content });
}

/** The value of a sealed text; undefined where the seal is missing or wrong. */
export function unsealed(purpose: string, out: string, text: string): unknown {
  try {
    const { seal, content } = JSON.parse(text) as Record<string, unknown>;
    if (typeof seal !== "string" || typeof content !== "string")
      return undefined;
    const isGenuine = [keyOf(out, false), temporaryKey].some(
      (key) =>
        key !== undefined && isEqual(macOf(key, purpose, out, content), seal),
    );
    return isGenuine ? (JSON.parse(content) as unknown) : undefined;
  } catch {
    return undefined;
  }
}

/** The value that a sealed text claims to hold, whoever sealed it. */
export function claimedIn(text: string): unknown {
  try {
    const { content } = JSON.parse(text) as Record<string, unknown>;
    return typeof content === "string"
      ? (JSON.parse(content) as unknown)
      : undefined;
  } catch {
    return undefined;
  }
}

function macOf(
  key: Buffer,
  purpose: string,
  out: string,
  content: string,
): Buffer {
  return createHmac("sha256", key)
    .update(`${purpose}\0${realpathSync(out)}\0`)
    .update(content)
    .digest();
}

function isEqual(mac: Buffer, seal: string): boolean {
  const given = Buffer.from(seal, "base64url");
  return given.length === mac.length && timingSafeEqual(given, mac);
}

function keyOf(out: string, create: boolean): Buffer | undefined {
  const folder = userFolder(out, create);
  if (folder === undefined) return undefined;
  const known = keys.get(folder);
  if (known !== undefined) return known;
  const key = readKey(folder) ?? (create ? createKey(folder) : undefined);
  if (key !== undefined) keys.set(folder, key);
  return key;
}

/** Git sets no permissions but 0644 and 0755, so a committed key never counts. */
function readKey(folder: string): Buffer | undefined {
  try {
    const file = path.join(folder, "key");
    if (!isOwn(lstatSync(file), 0o077)) return undefined;
    const text = readPlainFile(file, KEY_LENGTH)?.toString("latin1") ?? "";
    return /^[0-9a-f]{64}$/.test(text) ? Buffer.from(text, "hex") : undefined;
  } catch {
    return undefined;
  }
}

/** Makes the key complete before it has its name: another run may want it now. */
function createKey(folder: string): Buffer | undefined {
  const file = path.join(folder, "key");
  const prepared = `${file}.${process.pid}.${randomBytes(4).toString("hex")}`;
  try {
    const text = randomBytes(KEY_LENGTH / 2).toString("hex");
    writeFileSync(prepared, text, { flag: "wx", mode: 0o600 });
    place(prepared, file);
    return readKey(folder);
  } catch {
    return undefined;
  } finally {
    rmQuietly(prepared);
  }
}

function place(prepared: string, file: string): void {
  try {
    linkSync(prepared, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    if (readKey(path.dirname(file)) !== undefined) return;
    // Damaged, or readable for others: nothing sealed with it counts any more.
    rmSync(file, { force: true });
    linkSync(prepared, file);
  }
}

function rmQuietly(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // Nobody reads it.
  }
}
