// Generates types with discovery-tsd: node discovery-tsd.mjs <discovery.json> <out>
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import tsd from "discovery-tsd";

const [input, out] = process.argv.slice(2);
const text = await tsd.render(JSON.parse(readFileSync(input, "utf8")));
mkdirSync(out, { recursive: true });
writeFileSync(path.join(out, "types.d.ts"), text);
