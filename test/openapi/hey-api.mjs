// Generates clients with Hey API from exported documents, as JavaScript:
// node hey-api.mjs <exports> <out> <name/version>...
import { writeFileSync } from "node:fs";
import path from "node:path";
import { createClient } from "@hey-api/openapi-ts";
import { build } from "esbuild";

const [exports, out, ...apis] = process.argv.slice(2);

for (const api of apis) {
  const source = path.join(out, "ts", api);
  await createClient({
    input: path.join(exports, api, "openapi.json"),
    output: { path: source },
    logs: { level: "silent", file: false },
    plugins: ["@hey-api/client-fetch", "@hey-api/typescript", "@hey-api/sdk"],
  });
  await build({
    stdin: {
      contents:
        'export * from "./sdk.gen"; export { client } from "./client.gen";',
      resolveDir: source,
      loader: "ts",
    },
    bundle: true,
    format: "esm",
    outfile: path.join(out, "js", `${api}.mjs`),
  });
}
writeFileSync(path.join(out, "done"), String(apis.length));
