import { checkToolCommand } from "./tool-table.js";
import type { Action, Check, StepCommand, Expectation } from "./step.js";
import { PlanError, type PlanOptions } from "./plan-options.js";
import { openArgument, type Argument } from "./argument.js";

/**
 * Returns an action with an idempotent command, which can be repeated after an
 * interrupted run.
 */
export function repeatableAction(...argv: Argument[]): Action {
  return { kind: "command", command: { argv }, isRepeatable: true };
}

/**
 * Returns an action with a command that is not idempotent. After an interrupted
 * run, a check determines whether the command is run again.
 */
export function checkedAction(command: StepCommand, done: Check): Action {
  return { kind: "command", command, isRepeatable: false, done };
}

/**
 * Returns an action whose command is skipped if its check succeeds, even in the
 * first run.
 */
export function skippableAction(command: StepCommand, done: Check): Action {
  const isSkippable = true;
  return { kind: "command", command, isRepeatable: false, done, isSkippable };
}

/** Returns a command that runs the new `apigeectl`. */
function toolCommand(options: PlanOptions, ...args: string[]): StepCommand {
  const [name = "", ...rest] = args;
  const toolArgs = [name, "-f", options.overrides, ...rest];
  assertToolCommand(toolArgs, options.to, options);
  const argv = [options.tool, ...toolArgs];
  return options.home === undefined ? { argv } : { argv, folder: options.home };
}

/**
 * Returns a command that runs the old `apigeectl` with the old overrides file.
 */
export function oldToolCommand(
  options: PlanOptions,
  ...args: string[]
): StepCommand {
  const { oldHome, oldOverrides } = options;
  const folder = oldHome ?? openArgument("APIGEECTL_OLD_HOME");
  const toolArgs = [...args, "-f", oldOverrides];
  assertToolCommand(toolArgs, options.from, options);
  return { argv: ["./apigeectl", ...toolArgs], folder };
}

/** Throws PlanError if `apigeectl` does not accept the arguments. */
function assertToolCommand(
  toolArgs: readonly string[],
  version: string,
  { dryRun, settings }: PlanOptions,
): void {
  const { environments } = settings;
  const problems = checkToolCommand(toolArgs, {
    version,
    dryRun,
    environments,
  });
  if (problems.length > 0) throw new PlanError(problems.join("; "));
}

/** Returns the command that validates an overrides file. */
export function validateCommand(
  file: string,
  options: readonly string[],
  folder?: string,
): StepCommand {
  const argv = ["gen", "overrides", "validate", file, ...options];
  return folder === undefined ? { argv } : { argv, folder };
}

export function kubectlCommand(...args: string[]): StepCommand {
  return { argv: ["kubectl", ...args] };
}

export function createCheck(
  text: string,
  command: StepCommand,
  expect: Expectation = { kind: "success" },
): Check {
  return { text, command, expect };
}

/**
 * Returns the check that all pods in the namespace of the runtime are ready.
 */
export function readinessCheck(options: PlanOptions): Check {
  return createCheck("all pods are ready", toolCommand(options, "check-ready"));
}

/** Returns an action with an idempotent `apigeectl` command. */
export function toolAction(options: PlanOptions, ...args: string[]): Action {
  return {
    kind: "command",
    command: toolCommand(options, ...args),
    isRepeatable: true,
  };
}

export function manualAction(text: string): Action {
  return { kind: "manual", text };
}

/**
 * Returns the command that lists all workloads of the old and the new runtime in
 * a namespace.
 */
export function listWorkloadsCommand(namespace: string): StepCommand {
  return kubectlCommand(
    "get",
    "deployments,statefulsets,daemonsets",
    "-o",
    "name",
    "-n",
    namespace,
  );
}
