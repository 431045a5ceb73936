// Generates clients with orval from exported documents, as TypeScript:
// node orval.mjs <exports> <out> <name/version>...
import { writeFileSync } from "node:fs";
import path from "node:path";
import { generate } from "orval";

const [exports, out, ...apis] = process.argv.slice(2);

for (const api of apis)
  await generate(
    {
      input: { target: path.join(exports, api, "openapi.json") },
      output: {
        target: path.join(out, api, "client.ts"),
        client: "fetch",
        mode: "single",
        // Otherwise uploads have one function, with a union of bodies that
        // `fetch` does not accept.
        override: { splitByContentType: true },
      },
    },
    undefined,
    { logLevel: "silent" },
  );
writeFileSync(path.join(out, "done"), String(apis.length));
