import { compareVersions } from "../../runtime/rules/versions.js";
import { formatCount } from "../../diagnostics/format-count.js";
import type { ProcessIdentity } from "../../platform/process.js";
import { type Argument, planVariables, shellLine } from "./argument.js";
import { type BuiltinContext, builtins } from "./builtins.js";
import { type CommandResult, execute, type Program } from "./execute.js";
import type { PlanOptions } from "./plan-options.js";
import type { RunOptions } from "./run-options.js";
import type { Builtin, Check, Expectation, StepCommand } from "./step.js";

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

/** Pattern for the line that `nodetool status` prints for a node. */
const NODE = /^([UD?])([NLJM?])\s+\S+/;

/**
 * Returns the reason why the result of a command does not meet an expectation;
 * undefined if it meets the expectation.
 */
export function unmetReason(
  expect: Expectation,
  { code, stdout, error, isTimedOut }: CommandResult,
  old: readonly string[] | undefined,
): string | undefined {
  if (isTimedOut) return "timeout";
  if (code !== 0) return error ?? `exit code ${code}`;
  switch (expect.kind) {
    case "success":
      return undefined;
    case "nothing":
      return stdout.trim() === ""
        ? undefined
        : "the command still lists resources";
    case "contains":
      return stdout.includes(expect.text)
        ? undefined
        : "the output does not contain the expected text";
    case "line":
      return linesOf(stdout).some((line) => line === expect.text)
        ? undefined
        : "the output does not contain the expected line";
    case "nodes-ready":
      return unmetRows(stdout, ([, status = ""]) => /^Ready(,|$)/.test(status));
    case "pods-ready":
      return unmetRows(stdout, isPodReady);
    case "images":
      return unmetImages(expect.least, stdout);
    case "ring":
      return unmetRing(expect, stdout);
    case "old-gone":
      return unmetOld(stdout, old);
  }
}

function linesOf(stdout: string): string[] {
  return stdout
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

function unmetRows(
  stdout: string,
  isReady: (columns: readonly string[]) => boolean,
): string | undefined {
  const rows = linesOf(stdout);
  if (rows.length === 0) return "the command listed no resources";
  const count = rows.filter((row) => !isReady(row.split(/\s+/))).length;
  return count === 0
    ? undefined
    : `resources not ready: ${count} of ${rows.length}`;
}

function isPodReady([, ready = "", status]: readonly string[]): boolean {
  if (status === "Completed" || status === "Succeeded") return true;
  const [ran, all] = ready.split("/");
  return status === "Running" && ran === all;
}

function unmetImages(least: string, stdout: string): string | undefined {
  const images = stdout.split(/\s+/).filter((image) => image !== "");
  if (images.length === 0) return "the command listed no images";
  const older = images.filter((image) => {
    const tag = image.slice(image.lastIndexOf(":") + 1);
    const version = /^\d+\.\d+\.\d+/.exec(tag)?.[0];
    return version === undefined || compareVersions(version, least) < 0;
  });
  return older.length === 0
    ? undefined
    : `images older than ${least}, or without a version: ${older.length} of ${images.length}`;
}

function unmetRing(
  { least, most }: { readonly least: number; readonly most?: number },
  stdout: string,
): string | undefined {
  const nodes = stdout.split("\n").filter((line) => NODE.test(line));
  const centers = stdout.match(/^Datacenter: /gm)?.length ?? 1;
  const down = nodes.filter((line) => !line.startsWith("UN"));
  if (down.length > 0) return `nodes not up: ${down.length} of ${nodes.length}`;
  if (nodes.length < least)
    return `found ${formatCount(nodes.length, "node")}, expected at least ${least}`;
  if (most !== undefined && nodes.length > most * centers)
    return `found ${formatCount(nodes.length, "node")}, expected at most ${most * centers}`;
  return undefined;
}

function unmetOld(
  stdout: string,
  old: readonly string[] | undefined,
): string | undefined {
  if (old === undefined || old.length === 0)
    return "the resources of the old runtime were not recorded; run step C0";
  const listed = new Set(linesOf(stdout));
  const remaining = old.filter((name) => listed.has(name));
  return remaining.length === 0
    ? undefined
    : `old resources not yet deleted: ${remaining.length}, such as ${remaining[0]}`;
}
