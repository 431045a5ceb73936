import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { realpathSync } from "node:fs";
import path from "node:path";
import { userFolder } from "./user-folder.js";
import { createKey, readKey } from "./user-key.js";

/**
 * Key that signs values if the user's key is not available. It is valid until
 * the process ends.
 */
let temporaryKey: Buffer | undefined;

/** Signing keys that were already read, keyed by folder. */
const keys = new Map<string, Buffer>();

/**
 * Serializes a value with a keyed hash (HMAC-SHA256) for one output folder, so
 * that later runs of the same user can verify the value. The hash is needed
 * because files in an output folder can come from a repository, whose author
 * does not have the user's key.
 */
export function sealValue(
  purpose: string,
  out: string,
  value: unknown,
): string {
  const content = JSON.stringify(value);
  const key = userKeyFor(out, true) ?? (temporaryKey ??= randomBytes(32));
  const seal = computeMac(key, purpose, out, content).toString("base64url");
  return JSON.stringify({ seal, content });
}

/**
 * Returns the value of a signed text; undefined if the hash is missing or
 * invalid.
 */
export function verifySealed(
  purpose: string,
  out: string,
  text: string,
): unknown {
  try {
    const { seal, content } = JSON.parse(text) as Record<string, unknown>;
    if (typeof seal !== "string" || typeof content !== "string")
      return undefined;
    const isGenuine = [userKeyFor(out, false), temporaryKey].some(
      (key) =>
        key !== undefined &&
        isEqual(computeMac(key, purpose, out, content), seal),
    );
    return isGenuine ? (JSON.parse(content) as unknown) : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the value of a signed text without verifying the text's hash. */
export function readUnverified(text: string): unknown {
  try {
    const { content } = JSON.parse(text) as Record<string, unknown>;
    return typeof content === "string"
      ? (JSON.parse(content) as unknown)
      : undefined;
  } catch {
    return undefined;
  }
}

function computeMac(
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
  const expected = Buffer.from(seal, "base64url");
  return expected.length === mac.length && timingSafeEqual(expected, mac);
}

function userKeyFor(out: string, create: boolean): Buffer | undefined {
  const folder = userFolder(out, create);
  if (folder === undefined) return undefined;
  const cached = keys.get(folder);
  if (cached !== undefined) return cached;
  const file = path.join(folder, "key");
  const existing = readKey(file);
  const result =
    "key" in existing || !create ? existing : createKey(file, "replace");
  if (!("key" in result)) return undefined;
  keys.set(folder, result.key);
  return result.key;
}
