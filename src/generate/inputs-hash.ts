import { hash } from "../platform/hash.js";
import { sourceDigest } from "../write/source-digest.js";
import { settingsHash, type ApiSettings } from "./api-settings.js";

/**
 * Returns a hash of all inputs that affect the output of a document.
 * @param seed hash of the generator and of the options of the run
 */
export function inputsHash(
  seed: string,
  settings: ApiSettings,
  bytes: Uint8Array,
): string {
  return hash(seed, settingsHash(settings), sourceDigest(bytes));
}
