#!/usr/bin/env node
import { setFlagsFromString } from "node:v8";

// A run is short: by default the engine spends a fifth of it on optimizing
// code that has little left to do. Ask it to wait until code is really hot.
// (Later engines do so by themselves and do not know the flag.)
if (process.version.startsWith("v20.")) {
  setFlagsFromString("--interrupt-budget=300000");
}
const { main } = await import("../dist/cli.js");

process.exitCode = await main(process.argv.slice(2));
