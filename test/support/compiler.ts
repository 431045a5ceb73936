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
 * Returns the command that compiles a project. In `npm test`, it needs half of the
 * processor time: it does not check the libraries of TypeScript, has one checker, and
 * collects no garbage below a limit, which the output of all documents exceeds.
 *
 * @param name package of the compiler.
 * @param config path of the project's tsconfig file.
 */
export function compilerCommand(name: string, config: string): CompilerCommand {
  const args = ["-p", config, "--pretty", "false"];
  const { execPath, env } = process;
  if (!isFull) args.push("--skipDefaultLibCheck");
  if (name !== "typescript" || !existsSync(NATIVE)) {
    const script = path.join(ROOT, "node_modules", name, "bin/tsc");
    return { program: execPath, args: [script, ...args], env };
  }
  if (isFull) return { program: NATIVE, args, env };
  const limits = { GOGC: "off", GOMEMLIMIT: "1500MiB" };
  args.push("--checkers", "1");
  return { program: NATIVE, args, env: { ...env, ...limits } };
}
