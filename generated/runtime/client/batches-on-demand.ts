/* eslint-disable */
// biome-ignore-all lint: generated

import { batchRuntime } from "./batch/batch-runtime.js";
import { startAll } from "./batch/start-all.js";
import type { BatchOptions, Batches } from "./batch/types.js";
import type { Call, Client } from "./contract.js";
import { loadModule } from "./load-module.js";

/**
 * Returns batch methods that load their code when the first batch is sent.
 * Bundlers put this code into a separate file, which programs without batches
 * never load.
 */
export function batchesOnDemand(client: Client): Batches {
  const start = (
    calls: readonly Call<unknown>[],
    options: BatchOptions = {},
  ) => {
    const opened = loadModule(import("./batch/open-batch.js"), "batch").then(
      ({ openBatch }) => openBatch(client, options, batchRuntime),
    );
    const values = startAll(calls, async (own, at) =>
      (await opened).join(own, at),
    );
    // The batch is sent after all calls have been added to it. If loading the
    // batch code fails, each call receives the error.
    opened.then(({ send }) => send()).catch(() => {});
    return values;
  };
  return {
    batch: (calls, options) => Promise.all(start(calls, options)) as never,
    batchSettled: (calls, options) =>
      Promise.allSettled(start(calls, options)) as never,
  };
}
