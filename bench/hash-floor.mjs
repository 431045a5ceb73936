// Baseline of --check: start, read the documents and the output, hash both.
// Usage: node hash-floor.mjs <output folder> <document>...
import { createHash } from "node:crypto";
import { readFileSync, readdirSync } from "node:fs";
import path from "node:path";

const [out, ...documents] = process.argv.slice(2);
const hash = (file) =>
  createHash("sha256").update(readFileSync(file)).digest("base64url");
documents.forEach(hash);
for (const entry of readdirSync(out, {
  recursive: true,
  withFileTypes: true,
})) {
  if (entry.isFile()) hash(path.join(entry.parentPath, entry.name));
}
