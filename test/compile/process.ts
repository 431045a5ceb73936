import { execFile } from "node:child_process";
import { promisify } from "node:util";

const runFile = promisify(execFile);

/** Result of a process. */
export interface Ran {
  readonly code: number;
  /** Its output, errors last. */
  readonly output: string;
}

/** Folder and variables of a process. */
interface ProcessOptions {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
}

/** Runs a Node script until it exits; returns failures, too. */
export function node(
  args: readonly string[],
  options: ProcessOptions = {},
): Promise<Ran> {
  return run(process.execPath, args, options);
}

/** Runs a program until it exits; returns failures, too. */
export async function run(
  program: string,
  args: readonly string[],
  options: ProcessOptions = {},
): Promise<Ran> {
  const settings = { ...options, maxBuffer: 256 * 1024 * 1024 };
  try {
    const { stdout, stderr } = await runFile(program, args, settings);
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
