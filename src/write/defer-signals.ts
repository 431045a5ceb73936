const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Number of running calls of `deferSignals`. */
let active = 0;

/**
 * Runs a synchronous function and defers signals until it returns, so that
 * Ctrl-C can't interrupt a series of renames.
 */
export function deferSignals<T>(action: () => T): T {
  if (active++ === 0)
    for (const signal of SIGNALS) process.on(signal, redeliver);
  try {
    return action();
  } finally {
    // Node.js delivers signals between turns of the event loop, so the
    // listeners must remain for one more turn.
    setImmediate(() => setImmediate(end));
  }
}

function end(): void {
  if (--active === 0)
    for (const signal of SIGNALS) process.off(signal, redeliver);
}

/**
 * Removes this listener and sends the signal again, unless the program has its
 * own listener.
 */
function redeliver(signal: NodeJS.Signals): void {
  process.off(signal, redeliver);
  if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
}
