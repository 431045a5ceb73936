// Prepares the rows of bench/client.mjs in a separate folder: the generated
// drive.v3 client, bundled as plain JavaScript, and the published one.
import { existsSync, mkdirSync, mkdtempSync, symlinkSync } from "node:fs";
import path from "node:path";
import { build } from "esbuild";
import { BENCH, install } from "../install.mjs";
import { ROOT, SHARED, run } from "../support.mjs";

const document = path.join(SHARED, "corpus/drive.v3.json");

/** Returns true if the shared description exists. */
export const canPrepare = () => existsSync(document);

/** Fills a new folder and returns its path. */
export async function prepare() {
  mkdirSync(path.join(ROOT, ".tmp"), { recursive: true });
  const work = mkdtempSync(path.join(ROOT, ".tmp/client-"));
  const out = path.join(work, "out");
  const gen = path.join(ROOT, "bin/gen.js");
  run([gen, "--quiet", "--spec", document, "--out", out]);
  await build({
    stdin: { contents: ENTRY, resolveDir: out },
    bundle: true,
    format: "esm",
    target: "node20.19",
    outfile: path.join(work, "ours.mjs"),
  });
  return work;
}

const ENTRY = `
export { createDrive } from "./drive/v3/index.js";
export { createClient } from "./drive/v3/service.js";
export { create, get, list } from "./drive/v3/resources/files.js";
export { nodeTransport } from "./runtime/client/node.js";
`;

/** Installs the published client. */
export function installPeer(work) {
  install();
  const modules = path.join(BENCH, "node_modules");
  symlinkSync(modules, path.join(work, "node_modules"));
}
