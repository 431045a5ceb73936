const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Runs whose signals are not let through yet. */
let running = 0;

/**
 * Runs a synchronous function to its end before a signal takes effect, so that
 * Ctrl-C never falls between two renames. The signal is not lost.
 */
export function deferSignals<T>(work: () => T): T {
  if (running++ === 0)
    for (const signal of SIGNALS) process.on(signal, redeliver);
  try {
    return work();
  } finally {
    // Node delivers signals between turns: the listeners have to see the next one.
    setImmediate(() => setImmediate(end));
  }
}

function end(): void {
  if (--running === 0)
    for (const signal of SIGNALS) process.off(signal, redeliver);
}

/** Does what would have happened without us, unless the program listens itself. */
function redeliver(signal: NodeJS.Signals): void {
  process.off(signal, redeliver);
  if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
}
