// Installs the pinned programs of bench/package.json into bench/node_modules. Scripts
// of packages do not run.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { ROOT } from "./support.mjs";

/** Folder of bench/package.json. */
export const BENCH = path.join(ROOT, "bench");
const modules = path.join(BENCH, "node_modules");
const stamp = path.join(modules, ".bench-lock");

/** Installs the programs if the lock file has changed since the last installation. */
export function install() {
  const lock = readFileSync(path.join(BENCH, "package-lock.json"));
  const hash = createHash("sha256").update(lock).digest("hex");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === hash) return;
  console.log("installing bench/package.json");
  const quiet = ["--no-audit", "--no-fund", "--loglevel=error"];
  const args = ["ci", "--prefix", BENCH, "--ignore-scripts", ...quiet];
  execFileSync("npm", args, { stdio: "inherit" });
  writeFileSync(stamp, hash);
}

/** Returns the name of an installed package with its version. */
export function versioned(name) {
  const file = path.join(modules, name, "package.json");
  return `${name} ${JSON.parse(readFileSync(file, "utf8")).version}`;
}
