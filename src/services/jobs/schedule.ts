/**
 * Runs a function at intervals. A run starts after the previous one has ended.
 * The function must handle its errors.
 *
 * @returns function that ends the schedule, and waits for a run in progress
 */
export function schedule(
  interval: number,
  run: () => Promise<void>,
): () => Promise<void> {
  let isStopped = false;
  let current: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  const plan = (): void => {
    timer = setTimeout(() => {
      current = run().finally(() => {
        if (!isStopped) plan();
      });
    }, interval);
    timer.unref();
  };
  plan();
  return () => {
    isStopped = true;
    clearTimeout(timer);
    return current;
  };
}
