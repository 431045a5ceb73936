#!/usr/bin/env node
const { start } = require("../dist/start.cjs");

start(process.argv.slice(2)).then((code) => {
  process.exitCode = code;
});
