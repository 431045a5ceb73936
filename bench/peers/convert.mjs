// Converts a document to OpenAPI 3.0, which takes two packages:
// node convert.mjs <discovery.json> <out>
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import discovery from "google-discovery-to-swagger";
import swagger from "swagger2openapi";

const [input, out] = process.argv.slice(2);
const converted = discovery.convert(JSON.parse(readFileSync(input, "utf8")));
const options = { patch: true, warnOnly: true };
const { openapi } = await swagger.convertObj(converted, options);
mkdirSync(out, { recursive: true });
writeFileSync(path.join(out, "openapi.json"), JSON.stringify(openapi));
