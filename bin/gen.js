#!/usr/bin/env node
import { setFlagsFromString } from "node:v8";

// A run is short: by default V8 spends a fifth of that time on optimizing code that
// hardly runs afterwards. The flag delays optimization. (Later versions of V8
// do this by default and reject the flag.)
if (process.version.startsWith("v20.")) {
  setFlagsFromString("--interrupt-budget=300000");
}
const { main } = await import("../dist/cli.js");

process.exitCode = await main(process.argv.slice(2));
