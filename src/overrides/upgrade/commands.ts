import { checkToolCommand } from "./check-tool-command.js";
import type { Action, Check, Command, Expectation } from "./step.js";
import type { PlanOptions } from "./plan-options.js";
import { openWord, type Word } from "./argument.js";

/** Command that does no harm when it is run twice. */
export function repeatable(...argv: Word[]): Action {
  return { kind: "command", command: { argv }, isRepeatable: true };
}

/** Command whose check is asked before it is run a second time. */
export function once(command: Command, done: Check): Action {
  return { kind: "command", command, isRepeatable: false, done };
}

/** Command whose check is asked before it is run at all. */
export function unlessDone(command: Command, done: Check): Action {
  const isSkippable = true;
  return { kind: "command", command, isRepeatable: false, done, isSkippable };
}

/** Command of the new control tool. */
export function tool(options: PlanOptions, ...args: string[]): Command {
  const [name = "", ...rest] = args;
  const words = [name, "-f", options.overrides, ...rest];
  refuseWrong(words, options.to, options);
  const argv = [options.tool, ...words];
  return options.home === undefined ? { argv } : { argv, folder: options.home };
}

/** Command of the old control tool, with the old file. */
export function oldTool(options: PlanOptions, ...args: string[]): Command {
  const { oldHome, oldOverrides } = options;
  const folder = oldHome ?? openWord("APIGEECTL_OLD_HOME");
  const words = [...args, "-f", oldOverrides];
  refuseWrong(words, options.from, options);
  return { argv: ["./apigeectl", ...words], folder };
}

/** Keeps commands that the table of the tool does not allow out of a plan. */
function refuseWrong(
  words: readonly string[],
  version: string,
  { dryRun, facts }: PlanOptions,
): void {
  const { environments } = facts;
  const problems = checkToolCommand(words, { version, dryRun, environments });
  if (problems.length > 0) throw new PlanError(problems.join("; "));
}

/** An upgrade can't be planned; the message names the value and the reason. */
export class PlanError extends Error {}

/** Checks an overrides file by the command of this tool. */
export function validation(
  file: string,
  options: readonly string[],
  folder?: string,
): Command {
  const argv = ["gen", "overrides", "validate", file, ...options];
  return folder === undefined ? { argv } : { argv, folder };
}

export function kubectl(...args: string[]): Command {
  return { argv: ["kubectl", ...args] };
}

export function check(
  text: string,
  command: Command,
  expect: Expectation = { kind: "success" },
): Check {
  return { text, command, expect };
}

/** Check that all pods of the runtime are ready. */
export function ready(options: PlanOptions): Check {
  return check("all pods are ready", tool(options, "check-ready"));
}

/** Command of the control tool that brings the cluster to a state, however often it is run. */
export function apply(options: PlanOptions, ...args: string[]): Action {
  return {
    kind: "command",
    command: tool(options, ...args),
    isRepeatable: true,
  };
}

export function manual(text: string): Action {
  return { kind: "manual", text };
}

/** Lists the workloads of a namespace, those of the old components included. */
export function namesOfWorkloads(namespace: string): Command {
  return kubectl(
    "get",
    "deployments,statefulsets,daemonsets",
    "-o",
    "name",
    "-n",
    namespace,
  );
}
