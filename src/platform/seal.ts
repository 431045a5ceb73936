import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { realpathSync } from "node:fs";
import path from "node:path";
import { userFolder } from "./user-folder.js";
import { createKey, readKey } from "./user-key.js";

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
  const cached = keys.get(folder);
  if (cached !== undefined) return cached;
  const file = path.join(folder, "key");
  const found = readKey(file);
  const result = "key" in found || !create ? found : createKey(file, "replace");
  if (!("key" in result)) return undefined;
  keys.set(folder, result.key);
  return result.key;
}
