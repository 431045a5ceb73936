/** Stages of a run, in their order. */
export const STAGES = [
  "list",
  "read",
  "parse",
  "edit",
  "model",
  "print",
  "format",
  "plan",
  "write",
] as const;

/** Stage of a run. */
export type Stage = (typeof STAGES)[number];

/**
 * Time of each stage in milliseconds, in the main thread. The worker thread
 * generates other documents at the same time.
 */
export class Timings {
  readonly #times = new Map<Stage, number>();

  /** Runs an action and adds its time to a stage. */
  measure<T>(stage: Stage, action: () => T): T {
    const start = performance.now();
    const add = (): void => {
      const before = this.#times.get(stage) ?? 0;
      this.#times.set(stage, before + performance.now() - start);
    };
    let result: T;
    try {
      result = action();
    } catch (error) {
      add();
      throw error;
    }
    if (result instanceof Promise) return result.finally(add) as T;
    add();
    return result;
  }

  /** Returns the stages that ran, with their times rounded to microseconds. */
  get times(): Partial<Record<Stage, number>> {
    return Object.fromEntries(
      STAGES.flatMap((stage) => {
        const time = this.#times.get(stage);
        return time === undefined
          ? []
          : [[stage, Math.round(time * 1e3) / 1e3]];
      }),
    );
  }
}

/** Runs an action; measures its time if there are timings. */
export function timed<T>(
  timings: Timings | undefined,
  stage: Stage,
  action: () => T,
): T {
  return timings === undefined ? action() : timings.measure(stage, action);
}
