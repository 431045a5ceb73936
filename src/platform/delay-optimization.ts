let isOwnProcess = false;
let collect: (() => void) | undefined;

/**
 * Allows changes of V8's settings. Only the command line calls this
 * function, because programs that use the API configure V8 themselves.
 */
export function allowDelayedOptimization(): void {
  isOwnProcess = true;
}

/**
 * Delays the optimization of code by V8 in all threads. A run is short: by
 * default, V8 spends up to a third of the time on the optimization of functions
 * that are hardly called afterwards. Later versions of V8 delay it by default
 * and reject the flag. Loading `node:v8` takes 5 ms, which is more than small
 * documents gain.
 */
export function delayOptimization(): void {
  if (process.version.startsWith("v20.")) setFlag("--interrupt-budget=1000000");
}

/**
 * Makes V8 collect garbage when the heap has grown by 50 % since the last
 * collection. By default, V8 lets a heap that grows fast reach four times its
 * size.
 */
export function limitHeapGrowth(): void {
  if (!isOwnProcess) return;
  setFlag("--heap-growing-percent=50");
  setFlag("--expose-gc");
  const vm = process.getBuiltinModule("node:vm");
  collect = vm.runInNewContext("gc") as () => void;
}

/**
 * Collects garbage, if `limitHeapGrowth` was called. Called when most of the
 * memory has just become garbage, which V8 does not know.
 */
export function collectGarbage(): void {
  collect?.();
}

function setFlag(flag: string): void {
  if (isOwnProcess)
    process.getBuiltinModule("node:v8").setFlagsFromString(flag);
}
