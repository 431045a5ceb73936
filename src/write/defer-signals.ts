const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Number of calls of `deferSignals` that have not ended. */
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
 * Removes the signal listener and sends the signal again, unless the program
 * has a listener of its own.
 */
function redeliver(signal: NodeJS.Signals): void {
  process.off(signal, redeliver);
  if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
}
