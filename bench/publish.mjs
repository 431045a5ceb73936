// Writes charts/*.svg and the tables of README.md again from results/*.json.
// Usage: node bench/publish.mjs
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { BENCH } from "./install.mjs";
import { publish } from "./results.mjs";

const folder = path.join(BENCH, "results");
for (const name of readdirSync(folder))
  publish(JSON.parse(readFileSync(path.join(folder, name), "utf8")));
