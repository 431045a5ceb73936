const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Number of `deferSignals` calls that are still running. */
let active = 0;

/**
 * Runs a synchronous function. Signals are deferred until it returns, so that
 * Ctrl-C can't interrupt a series of renames.
 */
export function deferSignals<T>(action: () => T): T {
  if (active++ === 0)
    for (const signal of SIGNALS) process.on(signal, redeliver);
  try {
    return action();
  } finally {
    // Node.js delivers signals between iterations of the event loop, so the
    // listeners must stay registered for one more iteration.
    setImmediate(() => setImmediate(end));
  }
}

function end(): void {
  if (--active === 0)
    for (const signal of SIGNALS) process.off(signal, redeliver);
}

/**
 * Removes the signal listener and sends the signal to this process again,
 * unless the program has its own listener.
 */
function redeliver(signal: NodeJS.Signals): void {
  process.off(signal, redeliver);
  if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
}
