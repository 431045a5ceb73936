import { CredentialsError } from "../error.js";
import { builtin } from "./builtin.js";

/** Largest file in bytes. */
const MAX_BYTES = 1_000_000;

/**
 * Reads a text file of limited size.
 *
 * @throws CredentialsError if the path is not a readable file.
 */
export async function readTextFile(path: string): Promise<string> {
  const { readFile, stat } = builtin("node:fs/promises");
  let bytes: Uint8Array<ArrayBuffer>;
  try {
    const status = await stat(path);
    if (!status.isFile() || status.size > MAX_BYTES)
      throw { code: "not a file of less than 1 MB" };
    bytes = await readFile(path);
  } catch (thrown) {
    const { code } = Object(thrown) as { readonly code?: string };
    throw new CredentialsError(`${path} can't be read: ${code}`);
  }
  return new TextDecoder().decode(bytes);
}

/**
 * Reads a JSON file.
 *
 * @throws CredentialsError if the file is not JSON; the message contains no part
 *   of the text.
 */
export async function readJsonFile(path: string): Promise<unknown> {
  const text = await readTextFile(path);
  try {
    return JSON.parse(text);
  } catch {
    throw new CredentialsError(`${path} is not JSON`);
  }
}
