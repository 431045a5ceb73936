import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

/**
 * Tests see the templates, the checker and the bundle as the sources have them
 * now; with GEN_BUILT=1 as the last build left them, for quick runs of one file.
 * The user's cache folder is one of the tests' own.
 */
export default function setup(): () => void {
  const cache = mkdtempSync(path.join(tmpdir(), "gen-cache-"));
  process.env["XDG_CACHE_HOME"] = cache;
  if (process.env["GEN_BUILT"] !== "1")
    execFileSync(process.execPath, ["scripts/build-if-changed.mjs"], {
      stdio: "inherit",
    });
  return () => rmSync(cache, { recursive: true, force: true });
}
