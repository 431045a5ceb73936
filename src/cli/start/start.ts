import type * as cli from "../main.js";
import { loadMain } from "./load-main.js";

/**
 * Runs the command line and returns the exit code. Stores compiled code after
 * a generation, so that later runs start faster.
 */
export async function start(args: readonly string[]): Promise<number> {
  const { require, store } = loadMain();
  const { main, usedParts, restoreDefaults } =
    require("./cli.cjs") as typeof cli;
  const code = await main(args);
  store(usedParts, restoreDefaults);
  return code;
}

/** Runs the program of a worker thread. */
export function startWorker(): void {
  loadMain().require("./worker.cjs");
}
