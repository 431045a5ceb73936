// Runs commands that its parent sends, one after another, in one process. Tests use
// it through `gen` (support.ts): starting Node and loading the command takes ten
// times as long as running it.
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

/** Bytes that the command has written to standard output and standard error. */
const written = { 1: [], 2: [] };
const writeFile = fs.writeSync;
fs.writeSync = (descriptor, bytes, start = 0, ...others) => {
  if (!(descriptor in written))
    return writeFile(descriptor, bytes, start, ...others);
  written[descriptor].push(Buffer.from(bytes.subarray(start)));
  return bytes.length - start;
};
syncBuiltinESMExports();

const { main } = await import("../../dist/cli.js");

/** Returns the text written to a descriptor, and clears it. */
function take(descriptor) {
  return Buffer.concat(written[descriptor].splice(0)).toString();
}

// Each run of an upgrade adds a listener.
process.setMaxListeners(0);
process.on("disconnect", () => process.exit());
process.on("message", async ({ args, cwd, env }) => {
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env);
  process.chdir(cwd);
  const status = await main(args);
  process.send({ status, stdout: take(1), stderr: take(2) });
});
process.send("ready");
