import { createHash } from "node:crypto";

/** Hash of contents, one after the other, as the manifest has it. */
export function hash(...contents: readonly (string | Uint8Array)[]): string {
  const sum = createHash("sha256");
  for (const content of contents) sum.update(content);
  return sum.digest("base64url");
}
