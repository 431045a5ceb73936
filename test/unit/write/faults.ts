import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

/** The functions by which the generator changes a disk. */
const CHANGES = [
  "chmodSync",
  "copyFileSync",
  "linkSync",
  "mkdirSync",
  "renameSync",
  "rmSync",
  "rmdirSync",
  "symlinkSync",
  "unlinkSync",
  "utimesSync",
  "writeFileSync",
] as const;

type Changing = (...args: unknown[]) => unknown;

/** A call that changes the disk, in order from 0. */
export interface Call {
  readonly index: number;
  readonly name: (typeof CHANGES)[number];
  readonly args: readonly unknown[];
}

/** Runs with a disk on which calls fail as told; returns how many there were. */
export async function withFaults(
  fault: (call: Call) => Error | undefined,
  work: () => Promise<unknown>,
): Promise<number> {
  const real = { ...fs } as unknown as Record<string, Changing>;
  const patched = fs as unknown as Record<string, Changing>;
  let index = 0;
  for (const name of CHANGES) {
    patched[name] = (...args) => {
      const error = fault({ index: index++, name, args });
      if (error !== undefined) throw error;
      return real[name]!(...args);
    };
  }
  syncBuiltinESMExports();
  try {
    await work();
  } finally {
    for (const name of CHANGES) patched[name] = real[name]!;
    syncBuiltinESMExports();
  }
  return index;
}

/** What the operating system throws. */
export function systemError(code: string, syscall: string): Error {
  return Object.assign(new Error(`${code}: simulated, ${syscall}`), {
    code,
    syscall,
  });
}
