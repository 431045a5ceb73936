/** Maximum number of concurrent requests. */
export const MAX_REQUESTS = 4;

/**
 * Runs an asynchronous action for each item, with a limited number of actions
 * at the same time.
 */
export async function runParallel<T>(
  items: readonly T[],
  limit: number,
  action: (item: T) => Promise<void>,
): Promise<void> {
  const queue = items.values();
  const work = async (): Promise<void> => {
    for (const item of queue) await action(item);
  };
  await Promise.all(Array.from({ length: limit }, work));
}
