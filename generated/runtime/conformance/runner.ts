/* eslint-disable */
// biome-ignore-all lint: generated

import { describe, type Check } from "./core.js";

/** What all test runners have. */
type Test = (name: string, run: () => Promise<void>) => unknown;

/** Differences of one check that are told; the others are like them. */
const TOLD = 20;

/** Hands checks to the test runner at work: Vitest, one with a global `test`, or `node:test`. */
export async function register(
  api: string,
  checks: readonly Check[],
): Promise<void> {
  const test = await runner();
  for (const { name, run } of checks)
    test(`${api}: ${name}`, async () => {
      const found = await run();
      if (found.length === 0) return;
      const lines = found.slice(0, TOLD).map(describe);
      const more = found.length - lines.length;
      throw new Error(
        [...lines, ...(more > 0 ? [`… ${more} more`] : [])].join("\n"),
      );
    });
}

async function runner(): Promise<Test> {
  const { process, test } = globalThis as {
    readonly process?: { readonly env: { readonly [name: string]: unknown } };
    readonly test?: unknown;
  };
  if (typeof test === "function") return test as Test;
  // Its name is a variable: not every project has types of it.
  const name = process?.env["VITEST"] === undefined ? "node:test" : "vitest";
  const module = (await import(name)) as { readonly test: Test };
  return module.test;
}
