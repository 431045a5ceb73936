// Generates types with openapi-typescript: node openapi-typescript.mjs <openapi.json> <out>
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import openapiTS, { astToString } from "openapi-typescript";

const [input, out] = process.argv.slice(2);
const options = { defaultNonNullable: false };
const tree = await openapiTS(pathToFileURL(input), options);
mkdirSync(out, { recursive: true });
writeFileSync(path.join(out, "schema.d.ts"), astToString(tree));
