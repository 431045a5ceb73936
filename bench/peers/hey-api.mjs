// Generates a client with Hey API: node hey-api.mjs <openapi.json> <out>
import { createClient } from "@hey-api/openapi-ts";

const [input, out] = process.argv.slice(2);
await createClient({
  input,
  output: { path: out },
  logs: { level: "silent", file: false },
  plugins: ["@hey-api/client-fetch", "@hey-api/typescript", "@hey-api/sdk"],
});
