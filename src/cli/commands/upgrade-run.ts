import path from "node:path";
import { acquireLock, type LockOptions } from "../../platform/lock.js";
import { clearLeftovers } from "../../platform/replace-file.js";
import { controlPlaneProblem } from "../../overrides/upgrade/control-plane.js";
import { terminateAll } from "../../overrides/upgrade/execute.js";
import { runUpgrade } from "../../overrides/upgrade/run.js";
import type { RunOptions } from "../../overrides/upgrade/run-options.js";
import {
  StateError,
  type StateAccess,
} from "../../overrides/upgrade/state-file.js";
import type { UpgradePlan } from "../../overrides/upgrade/plan.js";
import { userKey } from "../../platform/user-key.js";
import { UsageError, type Command, type Context } from "../command.js";
import { visible } from "../../diagnostics/invisible.js";
import { Questions } from "../terminal.js";
import { buildPlan, planOptions, type PlanValues } from "./upgrade-options.js";
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
A run that stopped or was killed resumes at the same action when it is started again.

Exit codes:
  0  all steps are done
  1  the run stopped at a step, or steps remain
  2  invalid usage, or another run is in progress
  130  interrupted; the running command was terminated`;

/**
 * The lock of an upgrade does not expire, because a step can take longer than any
 * limit.
 */
export const STATE_LOCK: LockOptions = { maxUnknownAge: Infinity };

/** Command `upgrade run`: runs an upgrade. */
export const upgradeRun: Command = {
  options: [...planOptions, ...runOptions],
  variables: "UPGRADE_",
  help: EXIT_CODES,
  run: async (values, context) => run(values as unknown as Values, context),
};

export function stateFilePath(
  { state, overrides }: { readonly state?: string; readonly overrides: string },
  cwd: string,
): string {
  return path.resolve(cwd, state ?? `${overrides}.upgrade.json`);
}

export function stateLock(stateFile: string): string {
  return `${stateFile}.lock`;
}

/**
 * Returns the options for reading the state file. Throws UsageError if the
 * user's key can't be read.
 */
export function stateAccess({
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
  const plan = buildPlan(values, context.cwd);
  checkStepIds(plan, values);
  const questions = new Questions(context.output);
  const options = optionsOf(values, plan, context, questions);
  let unlock: () => void;
  try {
    unlock = acquireLock(stateLock(options.stateFile), STATE_LOCK);
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
    if (error instanceof StateError) throw new UsageError(error.message);
    throw error;
  } finally {
    questions.close();
    unlock();
  }
}

/**
 * Terminates running commands and exits. The state file is already up to date,
 * since it is written after each action.
 */
function interrupt(unlock: () => void): never {
  terminateAll();
  unlock();
  process.exit(130);
}

function checkStepIds({ steps }: UpgradePlan, values: Values): void {
  const ids = steps.map(({ id }) => id);
  const { only = [], done = [], fromStep } = values;
  const requested = [
    ...only,
    ...done,
    ...(fromStep === undefined ? [] : [fromStep]),
  ];
  for (const id of requested)
    if (!ids.includes(id))
      throw new UsageError(
        `unknown step ${id}; expected one of ${ids.join(", ")}`,
      );
  if (only.length > 0 && fromStep !== undefined)
    throw new UsageError("--only and --from-step can't be used together");
}

function optionsOf(
  values: Values,
  plan: UpgradePlan,
  context: Context,
  questions: Questions,
): RunOptions {
  const {
    only,
    fromStep,
    done: doneSteps = [],
    yes,
    force,
    acceptChanges,
  } = values;
  const { output, cwd } = context;
  const hidden = new Set(plan.options.settings.secrets);
  return {
    cwd,
    stateFile: stateFilePath(values, cwd),
    access: stateAccess(values),
    api: controlPlaneUrl(values, plan),
    ...(only === undefined ? {} : { only }),
    ...(fromStep === undefined ? {} : { fromStep }),
    doneSteps,
    deadline: milliseconds("--deadline", values.deadline),
    interval: milliseconds("--interval", values.interval),
    isForced: force === true,
    acceptsChanges: acceptChanges === true,
    confirm: (question) => yes === true || questions.ask(question),
    print: (line) => output.out(`${visible(maskSecrets(line, hidden))}\n`),
    hide: (secret) => hidden.add(secret),
  };
}

/**
 * Returns the base URL of the control plane, to which the step that sets
 * feature properties sends an access token. Throws UsageError if the URL is not
 * allowed.
 */
function controlPlaneUrl({ api }: Values, { options }: UpgradePlan): string {
  const url = api ?? options.settings.api ?? API;
  const problem = controlPlaneProblem(url, api !== undefined);
  if (problem !== undefined) throw new UsageError(visible(problem));
  return url;
}

function milliseconds(option: string, text: string): number {
  const seconds = Number(text);
  if (text.trim() === "" || !(seconds > 0))
    throw new UsageError(
      `${option} must be a number of seconds greater than 0, found ${text}`,
    );
  return seconds * 1000;
}

/** Masks secrets in a line of output of an external program. */
function maskSecrets(line: string, secrets: ReadonlySet<string>): string {
  let text = line;
  for (const secret of secrets) text = text.split(secret).join("***");
  return text;
}
