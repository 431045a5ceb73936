import { execFile } from "node:child_process";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Result of a process. */
export interface Ran {
  readonly code: number;
  /** Its output, errors last. */
  readonly output: string;
}

/** Runs a Node script until it exits; returns failures, too. */
export async function node(
  args: readonly string[],
  options: { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv } = {},
): Promise<Ran> {
  const settings = { ...options, maxBuffer: 256 * 1024 * 1024 };
  try {
    const { stdout, stderr } = await run(process.execPath, args, settings);
    return { code: 0, output: stdout + stderr };
  } catch (error) {
    const failed = error as {
      code: unknown;
      message: string;
      stdout?: string;
      stderr?: string;
    };
    const output = (failed.stdout ?? "") + (failed.stderr ?? "");
    return {
      code: typeof failed.code === "number" ? failed.code : -1,
      output: output === "" ? failed.message : output,
    };
  }
}
