import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

/** File system functions with which the generator changes files. */
const CHANGES = [
  "chmodSync",
  "copyFileSync",
  "linkSync",
  "mkdirSync",
  "openSync",
  "renameSync",
  "rmSync",
  "rmdirSync",
  "symlinkSync",
  "unlinkSync",
  "utimesSync",
  "writeFileSync",
  "writeSync",
] as const;

type Changing = (...args: unknown[]) => unknown;

/** Call that changes files, with its index from 0. */
export interface Call {
  readonly index: number;
  readonly name: (typeof CHANGES)[number];
  readonly args: readonly unknown[];
}

/** Runs a function while chosen file system calls fail; returns the number of calls. */
export async function withFaults(
  fault: (call: Call) => Error | undefined,
  work: () => Promise<unknown>,
): Promise<number> {
  const real = { ...fs } as unknown as Record<string, Changing>;
  const patched = fs as unknown as Record<string, Changing>;
  let index = 0;
  for (const name of CHANGES) {
    patched[name] = (...args) => {
      if (name === "openSync" && isReading(args)) return real[name]!(...args);
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

function isReading([, flags = "r"]: readonly unknown[]): boolean {
  return typeof flags === "number" ? (flags & 3) === 0 : flags === "r";
}

/** Creates an error like those of the operating system. */
export function systemError(code: string, syscall: string): Error {
  return Object.assign(new Error(`${code}: simulated, ${syscall}`), {
    code,
    syscall,
  });
}
