// Loaded before the command (node --import): counts calls of node:fs by name, regular
// expressions created from text, and modules of Node that were loaded. Writes them to
// the file of COUNTS when the process ends.
import { createRequire } from "node:module";
import { isMainThread } from "node:worker_threads";

const require = createRequire(import.meta.url);
const fs = require("node:fs");
const write = fs.writeFileSync;
const before = process.moduleLoadList.length;
const counts = {};

/** Counts the calls of all functions of an object; Sync has the same name. */
function count(object) {
  for (const [name, original] of Object.entries(object)) {
    if (typeof original !== "function" || /^[A-Z_]/.test(name)) continue;
    const key = `fs.${name.replace(/Sync$/, "")}`;
    object[name] = function (...args) {
      counts[key] = (counts[key] ?? 0) + 1;
      return original.apply(this, args);
    };
  }
}

if (isMainThread) {
  // Files seem to be older than the steps of the times of file systems.
  const now = Date.now;
  Date.now = () => now() + 10_000;
  count(fs);
  count(fs.promises);
  globalThis.RegExp = new Proxy(RegExp, {
    construct(target, args, newTarget) {
      counts.patterns = (counts.patterns ?? 0) + 1;
      return Reflect.construct(target, args, newTarget);
    },
  });
  process.once("exit", () => {
    counts.builtins = process.moduleLoadList.length - before;
    write(process.env.COUNTS, JSON.stringify(counts));
  });
}
