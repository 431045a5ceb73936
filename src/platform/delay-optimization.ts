let isOwnProcess = false;

/**
 * Allows `delayOptimization`. Only the command line calls this: programs that
 * use the API have their own settings of V8.
 */
export function allowDelayedOptimization(): void {
  isOwnProcess = true;
}

/**
 * Delays the optimization of code by V8. A run is short: by default, V8 spends
 * up to a third of its time on optimizing functions that hardly run afterwards.
 * Applies to all threads. Later versions of V8 delay by default and reject the
 * flag. Loading `node:v8` takes 5 ms, which small documents do not gain.
 */
export function delayOptimization(): void {
  if (!isOwnProcess || !process.version.startsWith("v20.")) return;
  process
    .getBuiltinModule("node:v8")
    .setFlagsFromString("--interrupt-budget=1000000");
}
