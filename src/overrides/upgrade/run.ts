import path from "node:path";
import { visible } from "../../diagnostics/invisible.js";
import {
  fingerprintOf,
  type UpgradePlan,
  planDifference,
  isCompleted,
  incompleteStepsBefore,
  selectedSteps,
} from "./plan.js";
import { CommandRunner, StepError, pause } from "./command-runner.js";
import type { RunOptions, RunResult } from "./run-options.js";
import { hasSeedHost } from "./seed-host.js";
import {
  readState,
  StateError,
  StateStore,
  isAlive,
  type StepState,
} from "./state-file.js";
import { PinVerifier } from "./pins.js";
import type { Step, Action, Check } from "./step.js";
import type { ProcessIdentity } from "../../platform/process.js";

/**
 * Executes a plan. Continues at the step at which an earlier run stopped.
 * Throws StateError if the state file was created for another plan.
 */
export async function runUpgrade(
  plan: UpgradePlan,
  options: RunOptions,
): Promise<RunResult> {
  const fingerprint = fingerprintOf(plan);
  const { stateFile, access } = options;
  const before = readState(stateFile, access);
  const difference = before && planDifference(before, plan, fingerprint);
  if (difference !== undefined)
    throw new StateError(
      `${stateFile} was created for a different upgrade: ${visible(difference)}; pass a different file as --state`,
    );
  const store = new StateStore(
    before ?? { version: 1, fingerprint, steps: {} },
    options,
  );
  const run = new UpgradeRun(plan, options, store);
  if (access.isAdopted) store.save();
  await run.begin();
  return run.runSteps();
}

class UpgradeRun {
  readonly #plan: UpgradePlan;
  readonly #options: RunOptions;
  readonly #store: StateStore;
  readonly #steps: StepRunner;
  readonly #pins: PinVerifier;

  constructor(plan: UpgradePlan, options: RunOptions, store: StateStore) {
    this.#plan = plan;
    this.#options = options;
    this.#store = store;
    const runner = new CommandRunner(plan.options, options, {
      get: () => store.state.old,
      set: (old) => store.set({ old }),
    });
    this.#steps = new StepRunner(options, runner, store);
    this.#pins = new PinVerifier(plan.options, options, runner, {
      get: () => store.state.pins ?? {},
      set: (pins) => store.set({ pins }),
    });
  }

  /**
   * Compares the options of this run with those of earlier runs. Rejects with
   * StateError if they differ.
   */
  begin(): Promise<void> {
    return this.#pins.verifyOptions();
  }

  async runSteps(): Promise<RunResult> {
    for (const step of selectedSteps(this.#plan, this.#options)) {
      try {
        await this.#runStep(step);
      } catch (error) {
        const reason = (error as Error).message;
        this.#options.print(`${step.id} stopped: ${reason}`);
        return { isDone: false, stoppedAt: step.id, reason };
      }
    }
    return this.#finish();
  }

  /**
   * Returns the result of the run. The upgrade is not complete while the
   * overrides file contains `cassandra.externalSeedHost`.
   */
  #finish(): RunResult {
    const { print, cwd } = this.#options;
    const remaining = this.#plan.steps.filter(
      ({ id }) => !isCompleted(this.#store.state, id),
    );
    if (remaining.length > 0) {
      print(`remaining steps: ${remaining.map(({ id }) => id).join(", ")}`);
      return { isDone: false };
    }
    if (hasSeedHost(path.resolve(cwd, this.#plan.options.overrides))) {
      const reason =
        "cassandra.externalSeedHost is in the overrides file again; remove it, and run `apigeectl apply --datastore`";
      print(`not finished: ${reason}`);
      return { isDone: false, stoppedAt: "D6", reason };
    }
    print("the upgrade is done");
    return { isDone: true };
  }

  async #runStep(step: Step): Promise<void> {
    const { only, doneSteps, print } = this.#options;
    const before = this.#store.state.steps[step.id];
    const isRequested = only?.includes(step.id) === true;
    const wasCompleted = isCompleted(this.#store.state, step.id);
    if (wasCompleted && !isRequested) return;
    if (doneSteps.includes(step.id)) return this.#mark(step, "done");
    if (step.isOptional && !isRequested) return this.#mark(step, "skipped");
    print(`${step.id} ${step.title}`);
    await this.#pins.verifyTool(step.phase);
    const isResumed = before !== undefined && !wasCompleted;
    if (isResumed) await this.#steps.awaitOrphan(before.child);
    await this.#confirmDestruction(step);
    await this.#steps.runActions(step, isResumed ? before : undefined);
    for (const check of step.checks) await this.#steps.awaitCheck(step, check);
    this.#mark(step, "done");
  }

  #mark(step: Step, status: "done" | "skipped"): void {
    const before = this.#store.state.steps[step.id];
    this.#store.setStep(step.id, {
      status,
      actions: step.actions.length,
      startedAt: before?.startedAt ?? now(),
      endedAt: now(),
    });
  }

  async #confirmDestruction(step: Step): Promise<void> {
    if (!step.isDestructive) return;
    const missing = incompleteStepsBefore(
      this.#plan,
      this.#store.state,
      step,
    ).join(", ");
    if (missing !== "") {
      if (this.#options.isForced !== true)
        throw new StepError(
          `${step.id} deletes resources, and these earlier steps are not done: ${missing}; run them, mark them with --done, or pass --force`,
        );
      this.#options.print(
        `  --force: continuing, although these steps have not been done: ${missing}`,
      );
    }
    await this.#pins.verifyContext();
    await this.#steps.confirm(
      step,
      `${step.id} deletes resources: ${step.title}. Undo: ${step.undo}. Continue?`,
      "pass --yes to confirm",
    );
  }
}

/** Class that runs the actions and checks of steps and records the progress. */
class StepRunner {
  readonly #options: RunOptions;
  readonly #runner: CommandRunner;
  readonly #store: StateStore;

  constructor(options: RunOptions, runner: CommandRunner, store: StateStore) {
    this.#options = options;
    this.#runner = runner;
    this.#store = store;
  }

  /**
   * Waits for the end of a command that an interrupted run started, because the
   * same command must not run twice at the same time.
   */
  async awaitOrphan(child: ProcessIdentity | undefined): Promise<void> {
    const { deadline, interval, print } = this.#options;
    if (child === undefined || !isAlive(child)) return;
    print(`waiting for process ${child.pid} of an earlier run`);
    const end = Date.now() + deadline;
    while (isAlive(child)) {
      if (Date.now() > end)
        throw new StepError(
          `process ${child.pid} of an earlier run has not ended`,
        );
      await pause(Math.min(interval, 1000));
    }
  }

  /**
   * Asks the user for confirmation. Throws StepError if the user does not
   * confirm.
   */
  async confirm(step: Step, question: string, advice: string): Promise<void> {
    const answer = await this.#options.confirm(question);
    if (answer === true) return;
    throw new StepError(
      answer === false
        ? "not confirmed"
        : `${step.id} requires confirmation; ${advice}`,
    );
  }

  /**
   * Runs the actions of a step; skips actions that an earlier run completed.
   */
  async runActions(step: Step, before: StepState | undefined): Promise<void> {
    const startedAt = before?.startedAt ?? now();
    const first = before?.actions ?? 0;
    for (const [index, action] of step.actions.entries()) {
      if (index < first) continue;
      const isOpen = index === first && before?.isOpen === true;
      if (await this.#isAlreadyDone(action, isOpen)) {
        this.#options.print("  already done");
      } else {
        this.#store.setStep(step.id, {
          status: "running",
          actions: index,
          isOpen: true,
          startedAt,
        });
        await this.#runAction(step, action, { index, startedAt });
      }
      this.#store.setStep(step.id, {
        status: "running",
        actions: index + 1,
        startedAt,
      });
    }
  }

  /**
   * Returns true if a command can be skipped because its check succeeds. The
   * check runs if the command is skippable, or if an earlier run was
   * interrupted during the command.
   */
  async #isAlreadyDone(action: Action, isOpen: boolean): Promise<boolean> {
    if (action.kind !== "command" || action.isRepeatable) return false;
    if (action.done === undefined) return false;
    if (!isOpen && action.isSkippable !== true) return false;
    this.#options.print(
      `  checking whether the action was already done: ${action.done.text}`,
    );
    return (await this.#runner.checkOnce(action.done)) === undefined;
  }

  async #runAction(
    step: Step,
    action: Action,
    at: { index: number; startedAt: string },
  ): Promise<void> {
    try {
      await this.#performAction(step, action, at);
    } catch (error) {
      this.#store.setStep(step.id, {
        status: "failed",
        actions: at.index,
        isOpen: true,
        startedAt: at.startedAt,
        endedAt: now(),
        reason: (error as Error).message,
      });
      throw error;
    }
  }

  async #performAction(
    step: Step,
    action: Action,
    { index, startedAt }: { index: number; startedAt: string },
  ): Promise<void> {
    if (action.kind === "manual")
      return this.confirm(
        step,
        `${action.text}. Done?`,
        `perform this action, then pass --done ${step.id} or --yes: ${action.text}`,
      );
    if (action.kind === "builtin") return this.#runner.runBuiltin(action.name);
    const { code, error, isTimedOut } = await this.#runner.run(
      action.command,
      (child) =>
        this.#store.setStep(step.id, {
          status: "running",
          actions: index,
          isOpen: true,
          startedAt,
          child,
        }),
    );
    if (isTimedOut)
      throw new StepError(`timeout after ${this.#options.deadline / 1000} s`);
    if (code !== 0) throw new StepError(error ?? `exit code ${code}`);
  }

  /**
   * Repeats a check until it succeeds. Throws StepError when the timeout
   * expires.
   */
  async awaitCheck(step: Step, check: Check): Promise<void> {
    const reason = await this.#runner.waitFor(check);
    if (reason === undefined) return;
    const progress = this.#store.state.steps[step.id]!;
    this.#store.setStep(step.id, {
      ...progress,
      status: "failed",
      endedAt: now(),
      reason,
    });
    throw new StepError(`${check.text}: ${reason}`);
  }
}

/** Returns the current time in ISO 8601 format. */
export function now(): string {
  return new Date().toISOString();
}
