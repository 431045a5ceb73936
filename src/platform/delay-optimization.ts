let isOwnProcess = false;

/**
 * Enables `delayOptimization`, which otherwise does nothing. Only the command
 * line enables it, because programs that use the API configure V8 themselves.
 */
export function allowDelayedOptimization(): void {
  isOwnProcess = true;
}

/**
 * Configures V8 to optimize code later, in all threads. A run is short: by
 * default, V8 spends up to a third of the time on optimizing functions that are
 * rarely called afterwards. Call this function only for large documents,
 * because loading `node:v8` takes 5 ms. Does nothing in later versions of
 * Node.js, because their V8 optimizes later by default and rejects the flag.
 */
export function delayOptimization(): void {
  if (!isOwnProcess || !process.version.startsWith("v20.")) return;
  process
    .getBuiltinModule("node:v8")
    .setFlagsFromString("--interrupt-budget=1000000");
}
