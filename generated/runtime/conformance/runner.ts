/* eslint-disable */
// biome-ignore-all lint: generated

import { describe, type Check } from "./core.js";

/** Function `test` that a test runner provides. */
type TestFunction = (name: string, run: () => Promise<void>) => unknown;

/** Maximum number of differences to report for a check. */
const MAX_REPORTED = 20;

/**
 * Registers checks with the current test runner: Vitest, a runner with a global
 * `test` function, or `node:test`. The registration is synchronous if possible,
 * because CommonJS modules can't use top-level `await`.
 */
export function register(api: string, checks: readonly Check[]): unknown {
  const test = currentRunner();
  if (test) return addAll(test, api, checks);
  return importRunner().then((found) => addAll(found, api, checks));
}

function addAll(
  test: TestFunction,
  api: string,
  checks: readonly Check[],
): void {
  for (const { name, run } of checks)
    test(`${api}: ${name}`, async () => {
      const found = await run();
      if (found.length === 0) return;
      const lines = found.slice(0, MAX_REPORTED).map(describe);
      const more = found.length - lines.length;
      throw new Error(
        [...lines, ...(more > 0 ? [`… ${more} more`] : [])].join("\n"),
      );
    });
}

/** Global variables that identify the current test runner or Node. */
interface Globals {
  readonly test?: unknown;
  /** Module `vitest`, which Vitest provides in its workers. */
  readonly __vitest_index__?: { readonly test: TestFunction };
  readonly process?: {
    readonly env: { readonly [name: string]: unknown };
    /**
     * Function that returns a built-in Node module, available since Node 20.16.
     */
    getBuiltinModule?(
      name: string,
    ): { readonly test: TestFunction } | undefined;
  };
}

function currentRunner(): TestFunction | undefined {
  const { test, __vitest_index__, process } = globalThis as Globals;
  if (typeof test === "function") return test as TestFunction;
  if (__vitest_index__) return __vitest_index__.test;
  if (process?.env["VITEST"] !== undefined) return undefined;
  return process?.getBuiltinModule?.("node:test")?.test;
}

async function importRunner(): Promise<TestFunction> {
  const { process } = globalThis as Globals;
  // The module name is a variable, so that projects without type declarations
  // for the module compile.
  const name = process?.env["VITEST"] === undefined ? "node:test" : "vitest";
  const module = (await import(name)) as { readonly test: TestFunction };
  return module.test;
}
