// Generates a client with orval: node orval.mjs <openapi.json> <out>
import path from "node:path";
import { generate } from "orval";

const [input, out] = process.argv.slice(2);
await generate({
  input: { target: input },
  output: {
    client: "fetch",
    mode: "single",
    target: path.join(out, "client.ts"),
  },
});
