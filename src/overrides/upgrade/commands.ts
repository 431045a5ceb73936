import type { Action, Check, Command, Expectation } from "./step.js";
import type { PlanOptions } from "./options.js";

/** A command that does no harm when it is run twice. */
export function repeatable(...argv: string[]): Action {
  return { kind: "command", command: { argv }, isRepeatable: true };
}

/** A command that is asked about before it is run a second time. */
export function once(command: Command, done: Check): Action {
  return { kind: "command", command, isRepeatable: false, done };
}

/** A command of the new control tool. */
export function tool(options: PlanOptions, ...args: string[]): Command {
  const [name = "", ...rest] = args;
  const argv = [options.tool, name, "-f", options.overrides, ...rest];
  return options.home === undefined ? { argv } : { argv, folder: options.home };
}

/** A command of the old control tool, with the old file. */
export function oldTool(options: PlanOptions, ...args: string[]): Command {
  const { oldHome, oldOverrides } = options;
  const folder = oldHome ?? "$APIGEECTL_OLD_HOME";
  return { argv: [`${folder}/apigeectl`, ...args, "-f", oldOverrides], folder };
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

/** All pods of the runtime are ready. */
export function ready(options: PlanOptions): Check {
  return check("all pods are ready", tool(options, "check-ready"));
}

/** An action of the control tool, which brings the cluster to a state, however often. */
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
