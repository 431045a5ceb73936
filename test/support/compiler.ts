import { existsSync } from "node:fs";
import path from "node:path";
import { isFull } from "./full.js";
import { ROOT } from "./paths.js";

/** Program, arguments and environment that compile a project. */
export interface CompilerCommand {
  readonly program: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
}

/** The program of TypeScript 7; its script for Node.js only starts it. */
const NATIVE = path.join(
  ROOT,
  `node_modules/@typescript/typescript-${process.platform}-${process.arch}/lib/tsc`,
);

/**
 * Returns the command that compiles a project with the least processor time: one
 * checker and no garbage collection below a limit. Only the project `long` checks the
 * libraries of TypeScript too, which takes half of the time.
 *
 * @param name package of the compiler.
 * @param config path of the project's tsconfig file.
 */
export function compilerCommand(name: string, config: string): CompilerCommand {
  const args = ["-p", config, "--pretty", "false"];
  if (!isFull) args.push("--skipDefaultLibCheck");
  const isNative = name === "typescript" && existsSync(NATIVE);
  if (!isNative) {
    const script = path.join(ROOT, "node_modules", name, "bin/tsc");
    const { execPath: program, env } = process;
    return { program, args: [script, ...args], env };
  }
  const env = { ...process.env, GOGC: "off", GOMEMLIMIT: "1500MiB" };
  return { program: NATIVE, args: [...args, "--checkers", "1"], env };
}
