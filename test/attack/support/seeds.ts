import { expect } from "vitest";
import { randomOf } from "../../support/random-values.js";

/** Inputs per boundary: 300 in CI, 10,000 by `npm run attack` (environment: ATTACK_RUNS). */
export const RUNS = Number(process.env["ATTACK_RUNS"] ?? 300);

/** Longest time, in milliseconds, that one input of up to 1 MB may take. */
export const TIME_LIMIT = 2_000;

/** Source of random decisions; the same seed gives the same decisions. */
export interface Choices {
  /** Returns a number from 0 to 1, 1 excluded. */
  next(): number;
  /** Returns an integer from 0 to `below`, `below` excluded. */
  int(below: number): number;
  pick<T>(list: readonly [T, ...T[]] | readonly T[]): T;
  /** Returns true with the given probability. */
  chance(probability: number): boolean;
}

/** Returns the decisions of a seed. */
export function choices(seed: number): Choices {
  const next = randomOf(seed);
  const int = (below: number) => Math.floor(next() * below);
  return {
    next,
    int,
    pick: (list) => list[int(list.length)]!,
    chance: (probability) => next() < probability,
  };
}

/** Milliseconds after which an attack counts as one that never ends. */
const DEADLINE = 60_000;

/** Rejects if a promise stays pending. */
async function withinDeadline(result: unknown): Promise<unknown> {
  if (!(result instanceof Promise)) return result;
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise((_, reject) => {
    timer = setTimeout(() => {
      reject(new Error(`still pending after ${DEADLINE} ms`));
    }, DEADLINE);
  });
  try {
    return await Promise.race([result, deadline]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Runs an attack once for each seed from 1 to `RUNS`. A failure names its seed, and
 * a run that takes longer than the limit is a failure.
 */
export async function forEachSeed(
  attack: (choices: Choices, seed: number) => unknown,
  runs = RUNS,
  limit = TIME_LIMIT,
): Promise<void> {
  for (let seed = 1; seed <= runs; seed++) {
    const start = process.cpuUsage();
    try {
      await withinDeadline(attack(choices(seed), seed));
    } catch (error) {
      throw new Error(`seed ${seed}: ${(error as Error)?.message ?? error}`, {
        cause: error,
      });
    }
    // Processor time, so that a loaded machine fails no attack.
    const { user, system } = process.cpuUsage(start);
    expect(
      (user + system) / 1000,
      `seed ${seed}: milliseconds of processor time`,
    ).toBeLessThan(limit);
  }
}
