let isOwnProcess = false;
let isDelayed = false;
let collect: (() => void) | undefined;

/**
 * Allows changes to V8's settings; otherwise, the functions of this module do
 * nothing. Only the command line allows these changes, because programs that
 * use the API configure V8 themselves.
 */
export function allowDelayedOptimization(): void {
  isOwnProcess = true;
}

/**
 * Returns true if worker threads are allowed to call `delayOptimization`.
 */
export function mayWorkersDelay(): boolean {
  isDelayed = isOwnProcess;
  return isOwnProcess;
}

/**
 * Configures V8 to optimize code later, in all threads. A run is short: by
 * default, V8 spends up to a third of the time on optimizing functions that are
 * rarely called afterwards. Call this function only for large documents,
 * because loading `node:v8` takes 5 ms. Does nothing in later versions of
 * Node.js, because their V8 optimizes later by default and rejects the flag.
 */
export function delayOptimization(): void {
  if (!process.version.startsWith("v20.")) return;
  isDelayed = true;
  setFlag("--interrupt-budget=1000000");
}

/**
 * Sets all changed settings of V8 to their defaults, because V8 accepts cached
 * code only with the settings with which it was compiled.
 */
export function restoreDefaults(): void {
  if (isDelayed && process.version.startsWith("v20."))
    setFlag("--interrupt-budget=67584");
  if (collect === undefined) return;
  setFlag("--heap-growing-percent=0");
  setFlag("--allocation-site-pretenuring");
  setFlag("--no-expose-gc");
}

/**
 * Limits the heap of a run with a large document in two ways. First, V8 collects
 * garbage when the heap has grown by 50 % since the last collection; by default,
 * it lets a heap that grows fast reach four times its size. Second, V8 does not
 * make expressions allocate in the old generation. By default, it does so if
 * earlier objects of the same expression were in use for long. This is true of
 * expressions that build the model, but some of them also print files, and their
 * garbage would remain in the old generation until a full collection.
 *
 * If worker threads start later, V8 rejects stored code in them, which costs
 * little compared with a large document.
 */
export function limitHeapGrowth(): void {
  if (!isOwnProcess) return;
  setFlag("--heap-growing-percent=50");
  setFlag("--no-allocation-site-pretenuring");
  setFlag("--expose-gc");
  const vm = process.getBuiltinModule("node:vm");
  collect = vm.runInNewContext("gc") as () => void;
}

/**
 * Runs the garbage collector if `limitHeapGrowth` was called. Call this
 * function when most of the memory has just become unused.
 */
export function collectGarbage(): void {
  collect?.();
}

function setFlag(flag: string): void {
  if (isOwnProcess)
    process.getBuiltinModule("node:v8").setFlagsFromString(flag);
}
