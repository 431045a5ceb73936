import { checkToolCommand } from "./tool.js";
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
  const words = [name, "-f", options.overrides, ...rest];
  refuseWrong(words, options.to, options);
  const argv = [options.tool, ...words];
  return options.home === undefined ? { argv } : { argv, folder: options.home };
}

/** A command of the old control tool, with the old file. */
export function oldTool(options: PlanOptions, ...args: string[]): Command {
  const { oldHome, oldOverrides } = options;
  const folder = oldHome ?? "$APIGEECTL_OLD_HOME";
  const words = [...args, "-f", oldOverrides];
  refuseWrong(words, options.from, options);
  return { argv: [`${folder}/apigeectl`, ...words], folder };
}

/** No command that the table does not allow gets into a plan. */
function refuseWrong(
  words: readonly string[],
  version: string,
  { dryRun, facts }: PlanOptions,
): void {
  const { environments } = facts;
  const problems = checkToolCommand(words, { version, dryRun, environments });
  if (problems.length > 0) throw new Error(problems.join("; "));
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

/** Prints the names of what runs in a namespace, the old components among it. */
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
