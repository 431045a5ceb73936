/** Stages of a run, in order. */
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

/** Stage of a run, whose duration is measured. */
export type Stage = (typeof STAGES)[number];

/** Durations of stages in milliseconds. */
export type StageTimes = Partial<Record<Stage, number>>;

/** Durations of the stages in milliseconds. */
export class Timings {
  readonly #times = new Map<Stage, number>();

  /** Runs an action and adds its duration to a stage. */
  measure<T>(stage: Stage, action: () => T): T {
    const start = performance.now();
    const add = (): void => this.#add(stage, performance.now() - start);
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

  #add(stage: Stage, time: number): void {
    this.#times.set(stage, (this.#times.get(stage) ?? 0) + time);
  }

  /** Returns the durations of the stages that ran, rounded to microseconds. */
  get times(): StageTimes {
    return Object.fromEntries(
      STAGES.flatMap((stage) => {
        const time = this.#times.get(stage);
        return time === undefined || time === 0
          ? []
          : [[stage, Math.round(time * 1e3) / 1e3]];
      }),
    );
  }
}

/** Runs an action; measures its duration if `timings` is given. */
export function timed<T>(
  timings: Timings | undefined,
  stage: Stage,
  action: () => T,
): T {
  return timings === undefined ? action() : timings.measure(stage, action);
}
