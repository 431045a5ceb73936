import path from "node:path";
import { clearLeftovers } from "../../platform/replace-file.js";
import { controlPlaneProblem } from "../../overrides/upgrade/control-plane.js";
import { endAll } from "../../overrides/upgrade/execute.js";
import { runUpgrade } from "../../overrides/upgrade/run.js";
import type { RunOptions } from "../../overrides/upgrade/run-options.js";
import {
  BusyError,
  lockState,
  StateError,
  type StateAccess,
} from "../../overrides/upgrade/state.js";
import type { Plan } from "../../overrides/upgrade/plan.js";
import { userKey } from "../../platform/user-key.js";
import { UsageError, type Command, type Context } from "../command.js";
import { visible } from "../../diagnostics/reporters/output.js";
import { Questions } from "../terminal.js";
import { planOf, planOptions, type PlanValues } from "./upgrade-options.js";
import { runOptions } from "./upgrade-run-options.js";

interface Values extends PlanValues {
  readonly state?: string;
  readonly adoptState?: boolean;
  readonly yes?: boolean;
  readonly force?: boolean;
  readonly acceptChanges?: boolean;
  readonly only?: readonly string[];
  readonly fromStep?: string;
  readonly done?: readonly string[];
  readonly deadline: string;
  readonly interval: string;
  readonly api?: string;
}

const API = "https://apigee.googleapis.com";

const EXIT_CODES = `
A run that stopped or was killed resumes at the same point when it is started again.

Exit codes:
  0  all steps are done
  1  stopped at a step, or steps are left
  2  bad usage, or another run is going on
  130  interrupted; the command that ran was asked to end`;

/** Carries out an upgrade. */
export const upgradeRun: Command = {
  options: [...planOptions, ...runOptions],
  variables: "UPGRADE_",
  help: EXIT_CODES,
  run: async (values, context) => run(values as unknown as Values, context),
};

/** File of the state of an upgrade. */
export function stateFileOf(
  { state, overrides }: { readonly state?: string; readonly overrides: string },
  cwd: string,
): string {
  return path.resolve(cwd, state ?? `${overrides}.upgrade.json`);
}

/** How the state file is read. Throws UsageError without a key. */
export function accessOf({
  adoptState,
}: {
  readonly adoptState?: boolean;
}): StateAccess {
  try {
    return { key: userKey(process.env), isAdopted: adoptState === true };
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

async function run(values: Values, context: Context): Promise<number> {
  const plan = planOf(values, context.cwd);
  refuseUnknown(plan, values);
  const questions = new Questions(context.output);
  const options = optionsOf(values, plan, context, questions);
  let unlock: () => void;
  try {
    unlock = lockState(options.stateFile);
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
  clearLeftovers(options.stateFile);
  clearLeftovers(path.resolve(context.cwd, plan.options.overrides));
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    process.once(signal, () => interrupt(unlock));
  try {
    return (await runUpgrade(plan, options)).isDone ? 0 : 1;
  } catch (error) {
    if (error instanceof StateError || error instanceof BusyError)
      throw new UsageError(error.message);
    throw error;
  } finally {
    questions.close();
    unlock();
  }
}

/** The state is on the disk at any moment; what runs is asked to end. */
function interrupt(unlock: () => void): never {
  endAll();
  unlock();
  process.exit(130);
}

function refuseUnknown({ steps }: Plan, values: Values): void {
  const ids = steps.map(({ id }) => id);
  const { only = [], done = [], fromStep } = values;
  const given = [
    ...only,
    ...done,
    ...(fromStep === undefined ? [] : [fromStep]),
  ];
  for (const id of given)
    if (!ids.includes(id))
      throw new UsageError(`there is no step ${id}, but ${ids.join(", ")}`);
  if (only.length > 0 && fromStep !== undefined)
    throw new UsageError("--only and --from-step exclude each other");
}

function optionsOf(
  values: Values,
  plan: Plan,
  context: Context,
  questions: Questions,
): RunOptions {
  const { only, fromStep, done = [], yes, force, acceptChanges } = values;
  const { output, cwd } = context;
  const hidden = new Set(plan.options.facts.secrets);
  return {
    cwd,
    stateFile: stateFileOf(values, cwd),
    access: accessOf(values),
    api: apiOf(values, plan),
    ...(only === undefined ? {} : { only }),
    ...(fromStep === undefined ? {} : { fromStep }),
    done,
    deadline: milliseconds("--deadline", values.deadline),
    interval: milliseconds("--interval", values.interval),
    isForced: force === true,
    isChanged: acceptChanges === true,
    confirm: (question) => yes === true || questions.ask(question),
    say: (line) => output.out(`${visible(without(line, hidden))}\n`),
    hide: (secret) => hidden.add(secret),
  };
}

/** Base URL that gets the token of P6. Throws UsageError. */
function apiOf({ api }: Values, { options }: Plan): string {
  const url = api ?? options.facts.api ?? API;
  const problem = controlPlaneProblem(url, api !== undefined);
  if (problem !== undefined) throw new UsageError(visible(problem));
  return url;
}

function milliseconds(option: string, text: string): number {
  const seconds = Number(text);
  if (text.trim() === "" || !(seconds > 0))
    throw new UsageError(`${option} ${text}: it takes a number of seconds`);
  return seconds * 1000;
}

/** A line of a program that knows the secrets, without them. */
function without(line: string, secrets: ReadonlySet<string>): string {
  let text = line;
  for (const secret of secrets) text = text.split(secret).join("***");
  return text;
}
