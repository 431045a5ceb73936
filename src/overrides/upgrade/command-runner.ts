import type { ProcessIdentity } from "../../platform/process.js";
import { type BuiltinContext, builtins } from "./builtins.js";
import { execute, type CommandResult, type Program } from "./execute.js";
import { unmetReason } from "./expectation.js";
import type { PlanOptions } from "./plan-options.js";
import type { RunOptions } from "./run-options.js";
import type { Builtin, Check, StepCommand } from "./step.js";
import { planVariables, shellLine, type Argument } from "./argument.js";

/** Maximum number of output lines that are printed for a failed command. */
const SHOWN_LINES = 12;

/**
 * Error that stops the run at the current step. The message is the reason for
 * the failure.
 */
export class StepError extends Error {}

/**
 * Functions that read and write the names of the old runtime's resources in the
 * stored state.
 */
interface OldResourceStore {
  readonly get: () => readonly string[] | undefined;
  readonly set: (names: readonly string[]) => void;
}

/** Class that runs the commands, checks and TypeScript actions of all steps. */
export class CommandRunner {
  readonly #plan: PlanOptions;
  readonly #options: RunOptions;
  readonly #old: OldResourceStore;

  constructor(plan: PlanOptions, options: RunOptions, old: OldResourceStore) {
    this.#plan = plan;
    this.#options = options;
    this.#old = old;
  }

  /**
   * Runs an action that is implemented in TypeScript. Rejects with the reason
   * if the action fails.
   */
  async runBuiltin(name: Builtin): Promise<void> {
    await builtins[name](this.#builtinContext());
  }

  #builtinContext(): BuiltinContext {
    const { cwd, api, print, hide } = this.#options;
    return {
      options: this.#plan,
      cwd,
      api,
      query: async (command) => {
        const result = await this.query(command);
        // Standard output is not printed, because it can contain an access
        // token.
        if (result.code !== 0) this.#printTail(result.stderr ?? "");
        return result;
      },
      run: (command) => this.run(command),
      print: (line) => print(`  ${line}`),
      hide,
      oldResources: () => this.#old.get(),
      recordOldResources: (old) => this.#old.set(old),
    };
  }

  /** Runs a command; prints the command and its output. */
  run(
    command: StepCommand,
    onStart?: (child: ProcessIdentity) => void,
  ): Promise<CommandResult> {
    const { print, cwd, deadline } = this.#options;
    const program = resolveCommand(command);
    print(`  $ ${shellLine(command)}`);
    return execute(program, {
      cwd,
      deadline,
      onLine: (line) => print(`  | ${line}`),
      ...(onStart === undefined ? {} : { onStart }),
    });
  }

  /** Runs a command without printing its output. */
  query(command: StepCommand): Promise<CommandResult> {
    const { cwd, deadline } = this.#options;
    return execute(resolveCommand(command), { cwd, deadline });
  }

  /**
   * Repeats a check until it succeeds or the timeout expires. Returns the
   * reason for the failure; undefined if the check succeeded.
   */
  async waitFor(check: Check): Promise<string | undefined> {
    const { deadline, interval, print } = this.#options;
    const end = Date.now() + deadline;
    let last = "";
    for (;;) {
      const result = await this.query(check.command);
      const reason = unmetReason(check.expect, result, this.#old.get());
      if (reason === undefined) {
        print(`  ok: ${check.text}`);
        return undefined;
      }
      if (reason !== last) {
        print(`  not yet: ${check.text}: ${reason}`);
        this.#printTail(`${result.stdout}\n${result.stderr ?? ""}`);
      }
      last = reason;
      if (Date.now() + interval > end)
        return `${reason} after ${deadline / 1000} s`;
      await pause(interval);
    }
  }

  /** Prints the last lines of output. */
  #printTail(text: string): void {
    const lines = text.split("\n").filter((line) => line.trim() !== "");
    for (const line of lines.slice(-SHOWN_LINES))
      this.#options.print(`  | ${line}`);
  }

  /**
   * Runs a check once. Returns the reason for the failure; undefined if the
   * check succeeded.
   */
  async checkOnce({ command, expect }: Check): Promise<string | undefined> {
    return unmetReason(expect, await this.query(command), this.#old.get());
  }
}

/**
 * Replaces the shell variables in a command with their values. Throws StepError
 * if the option for a variable was not passed.
 */
function resolveCommand({ argv, folder }: StepCommand): Program {
  const args = argv.map(resolveArgument);
  return folder === undefined
    ? { argv: args }
    : { argv: args, folder: resolveArgument(folder) };
}

function resolveArgument(argument: Argument): string {
  if (typeof argument === "string") return argument;
  const { text, option } = planVariables[argument.placeholder];
  throw new StepError(`the ${text} is unknown; pass ${option}`);
}

export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
