import { createHash } from "node:crypto";
import { start } from "../../src/services/chat/index.js";
import { listen } from "../../src/services/host.js";
import { memoryStore } from "../../src/services/store/open.js";

/** Starts the chat service as `gen serve` does, with a back end; returns its address. */
export async function serve(baseUrl: string): Promise<string> {
  const hash = createHash("sha256").update("bench-key").digest("hex");
  const config = {
    keys: [{ name: "bench", key: `sha256:${hash}` }],
    models: { m: { upstream: { baseUrl } }, echo: "echo" },
  };
  const service = await start({
    store: memoryStore(),
    now: Date.now,
    log: () => {},
    folder: undefined,
    config,
  });
  return (await listen([service])).origin;
}
