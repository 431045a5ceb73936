import path from "node:path";
import { visible } from "../../diagnostics/reporters/output.js";
import { fingerprintOf, type UpgradePlan } from "./plan.js";
import { CommandRunner, StepError } from "./command-runner.js";
import type { RunOptions, RunResult } from "./run-options.js";
import { hasSeedHost } from "./seed-host.js";
import { readState, StateError } from "./state-file.js";
import { StateStore } from "./state-store.js";
import { now, StepRunner } from "./step-runner.js";
import { planDifference } from "./plan-difference.js";
import {
  isCompleted,
  incompleteStepsBefore,
  selectedSteps,
} from "./step-order.js";
import { PinVerifier } from "./pin-verifier.js";
import type { Step } from "./step.js";

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
