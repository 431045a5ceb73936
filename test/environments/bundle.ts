import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { buildSync } from "esbuild";
import { ROOT } from "../support/paths.js";

/**
 * Bundles the generated client of shop.v1.json and the checks into one script. It
 * defines a function `run(rootUrl)` that resolves to the results.
 */
export function bundleChecks(): string {
  const out = mkdtempSync(path.join(tmpdir(), "gen-environments-"));
  try {
    const spec = path.join(ROOT, "test/environments/shop.v1.json");
    const gen = path.join(ROOT, "bin/gen.js");
    const args = [gen, "--quiet", "--auth", "--spec", spec, "--out", out];
    execFileSync(process.execPath, args);
    const { outputFiles } = buildSync({
      stdin: { contents: ENTRY, resolveDir: out },
      alias: { checks: path.join(ROOT, "test/environments/checks.ts") },
      bundle: true,
      minifyWhitespace: true,
      format: "iife",
      platform: "browser",
      target: "es2022",
      write: false,
    });
    return outputFiles[0]!.text;
  } finally {
    rmSync(out, { recursive: true });
  }
}

const ENTRY = `
import { runChecks } from "checks";
import { createShop, isApiError } from "./shop/v1/index.js";
import { serviceAccount, refreshToken } from "./runtime/auth/index.js";
import { openMedia } from "./runtime/client/open-media.js";
globalThis.run = (root) => runChecks({ createShop, isApiError, openMedia, serviceAccount, refreshToken }, root);
`;
