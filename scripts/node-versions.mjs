// Runs the checks of generated clients (test/environments/checks.ts) in other
// versions of Node, with fetch and with the node transport. NODE_BINARIES lists
// binaries, separated by colons; `--fetch 22 24` installs these versions from
// npm in a temporary folder. Without either, the tests run in the current
// version.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { build } from "esbuild";

const root = path.resolve(import.meta.dirname, "..");
const work = mkdtempSync(path.join(tmpdir(), "node-versions-"));
const at = (...names) => path.join(work, ...names);

/** Installs a version from the registry; returns its binary. */
function fetchNode(version) {
  const cwd = at(version);
  mkdirSync(cwd);
  const name = `node-${process.platform}-${process.arch}@${version}`;
  const run = (command, ...args) =>
    execFileSync(command, args, { cwd, encoding: "utf8" });
  run("tar", "xzf", run("npm", "pack", "--silent", name).trim());
  return at(version, "package/bin/node");
}

const PROGRAM = `
import { runChecks } from "./test/environments/checks.ts";
import { startShop } from "./test/environments/shop-server.ts";
import { createShop, isApiError } from "OUT/shop/v1/index.js";
import { nodeTransport } from "OUT/runtime/client/node.js";
import { serviceAccount, refreshToken } from "OUT/runtime/auth/index.js";
import { openMedia } from "OUT/runtime/client/open-media.js";

const modules = { createShop, isApiError, openMedia, serviceAccount, refreshToken };
for (const [name, transport] of [["fetch"], ["node", nodeTransport()]]) {
  const server = await startShop();
  const results = await runChecks(modules, server.root, { transport });
  await server.close();
  const failed = Object.entries(results).filter(([, error]) => error);
  const count = Object.keys(results).length;
  console.log(\`\${process.version} over \${name}: \${count - failed.length} of \${count} checks pass\`);
  for (const [check, error] of failed) console.log(check, error);
  if (failed.length || !count) process.exitCode = 1;
}
`;

/** Bundles the generated client, the checks and the server as one program. */
async function bundle() {
  const spec = path.join(root, "test/environments/shop.v1.json");
  const gen = path.join(root, "bin/gen.js");
  const args = ["--quiet", "--auth", "--spec", spec, "--out", at("out")];
  execFileSync(process.execPath, [gen, ...args]);
  const contents = PROGRAM.replaceAll("OUT", at("out"));
  const outfile = at("checks.mjs");
  await build({
    stdin: { contents, resolveDir: root },
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20.19",
    outfile,
  });
  return outfile;
}

try {
  const [flag, ...versions] = process.argv.slice(2);
  const given = process.env.NODE_BINARIES?.split(":") ?? [];
  const binaries = flag === "--fetch" ? versions.map(fetchNode) : given;
  if (!binaries.length)
    throw new Error("set NODE_BINARIES, or give --fetch 22 24");
  const program = await bundle();
  for (const binary of binaries) {
    const options = { stdio: "inherit", timeout: 30_000 };
    if (spawnSync(binary, [program], options).status !== 0)
      process.exitCode = 1;
  }
} finally {
  rmSync(work, { recursive: true, force: true });
}
