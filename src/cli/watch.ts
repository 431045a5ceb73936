import path from "node:path";
import { visible } from "../diagnostics/invisible.js";
import type { WatchedInputs } from "../watch/snapshot.js";
import { watchInputs, type RemoteInputs } from "../watch/watch.js";
import type { Context } from "./command.js";

const SIGNALS = ["SIGINT", "SIGTERM"] as const;

/** Exit code after a second signal: 128 + SIGINT. */
const INTERRUPTED = 130;

/** Milliseconds that the process waits for pending requests before it exits. */
const GRACE = 500;

/** Maximum number of changed files that are listed in a message. */
const MAX_NAMED = 3;

/**
 * Settings of `watchRuns`, which runs the generator after each change to an
 * input.
 */
export interface WatchRuns {
  /** Lists the inputs; called again after each file system event. */
  inputs(): Promise<WatchedInputs>;
  /** Generates the output and reports the result. */
  run(): Promise<unknown>;
  readonly remote?: RemoteInputs | undefined;
  /** True to suppress messages about changes. */
  readonly isQuiet: boolean;
}

/**
 * Runs the generator immediately, and again after each change to an input.
 * SIGINT and SIGTERM end the watch after the current run. A second signal ends
 * the process immediately, but never leaves incomplete output. Returns the exit
 * code.
 */
export async function watchRuns(
  { inputs, run, remote, isQuiet }: WatchRuns,
  { cwd, output }: Context,
): Promise<number> {
  const stop = new AbortController();
  const onSignal = (): void => {
    if (stop.signal.aborted) process.exit(INTERRUPTED);
    stop.abort();
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
  const say = (text: string): void => {
    if (!isQuiet) output.err(`${text}\n`);
  };
  let isFirst = true;
  try {
    await watchInputs({
      inputs,
      remote,
      signal: stop.signal,
      run: async (changed) => {
        if (!isFirst) say(changeText(changed, cwd));
        await run();
        if (isFirst) say("Watching for changes; press Ctrl-C to stop.");
        isFirst = false;
      },
    });
    return 0;
  } finally {
    for (const signal of SIGNALS) process.off(signal, onSignal);
    // The process exits after a delay even if a server does not respond.
    if (remote !== undefined) setTimeout(() => process.exit(), GRACE).unref();
  }
}

function changeText(changed: readonly string[], cwd: string): string {
  if (changed.length === 0) return "Changed: remote documents";
  const names = changed
    .slice(0, MAX_NAMED)
    .map((file) => visible(path.relative(cwd, file)));
  const rest = changed.length - names.length;
  const more = rest === 0 ? "" : ` and ${rest} more`;
  return `Changed: ${names.join(", ")}${more}`;
}
