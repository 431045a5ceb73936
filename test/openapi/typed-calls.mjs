// Writes types of exported documents (openapi-typescript), and the recorded calls
// as typed calls of openapi-fetch:
// node typed-calls.mjs <exports> <oracle> <out> <document:name/version>...
import {
  createReadStream,
  mkdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import openapiTS, { astToString } from "openapi-typescript";
import { callOf, openDocument } from "./calls.mjs";

const [exports, oracle, out, ...pairs] = process.argv.slice(2);
/** Records whose values are those of the declared types. */
const KINDS = new Set(["call", "download", "next"]);
const CASES = new Set(["required", "all"]);
mkdirSync(out, { recursive: true });
let count = 0;

for (const pair of pairs) {
  const [name, api] = pair.split(":");
  const folder = path.join(exports, api);
  const file = path.join(folder, "openapi.json");
  const types = await openapiTS(JSON.parse(readFileSync(file, "utf8")), {
    // By default, properties with a default value are required in requests.
    defaultNonNullable: false,
  });
  writeFileSync(path.join(out, `${name}.d.ts`), astToString(types));
  const lines = [];
  const exported = openDocument(folder);
  const records = createReadStream(path.join(oracle, `${name}.jsonl`));
  for await (const line of createInterface({ input: records })) {
    const record = JSON.parse(line);
    if (!KINDS.has(record.kind) || !CASES.has(record.case)) continue;
    const call = callOf(record, exported);
    const { template, verb, path: values, query, body } = call;
    if (Buffer.isBuffer(body)) continue;
    const parameters = { params: { path: values, query }, body };
    const { params } = parameters;
    for (const key of ["path", "query"])
      if (Object.keys(params[key]).length === 0) delete params[key];
    const options = JSON.stringify(parameters);
    lines.push(
      `  await client.${verb.toUpperCase()}(${JSON.stringify(template)}, ${options}); // ${record.id}`,
    );
    count++;
  }
  writeFileSync(
    path.join(out, `${name}.calls.ts`),
    `import createClient from "openapi-fetch";\nimport type { paths } from "./${name}.js";\n\nconst client = createClient<paths>();\n\nexport async function calls(): Promise<void> {\n${lines.join("\n")}\n}\n`,
  );
}
console.log(count);
