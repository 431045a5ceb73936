// Generates types and a client with kubb: node kubb.mjs <openapi.json> <out>
import { build } from "@kubb/core";
import { pluginClient } from "@kubb/plugin-client";
import { pluginOas } from "@kubb/plugin-oas";
import { pluginTs } from "@kubb/plugin-ts";

const [input, out] = process.argv.slice(2);
const { error, failedPlugins } = await build({
  config: {
    root: ".",
    input: { path: input },
    output: { path: out, clean: false },
    plugins: [
      pluginOas({ validate: false }),
      pluginTs(),
      pluginClient({ client: "fetch" }),
    ],
  },
});
if (error !== undefined) throw error;
for (const failed of failedPlugins) throw failed.error;
