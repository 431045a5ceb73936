import path from "node:path";
import { visible } from "../../diagnostics/reporters/output.js";
import { fingerprintOf, type UpgradePlan } from "./plan.js";
import { pause, CommandRunner, StepError } from "./command-runner.js";
import type { RunOptions, RunResult } from "./run-options.js";
import { hasSeedHost } from "./seed-host.js";
import { isAlive } from "./process-record.js";
import { readState, StateError, writeState } from "./state-file.js";
import type { StepState, UpgradeState } from "./upgrade-state.js";
import { planDifference } from "./plan-difference.js";
import {
  isCompleted,
  incompleteStepsBefore,
  selectedSteps,
} from "./step-order.js";
import { PinVerifier } from "./pin-verifier.js";
import type { Action, Check, Step } from "./step.js";

/**
 * Runs a plan, resuming from its state. Throws StateError if the state belongs
 * to another plan.
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
      `${stateFile} belongs to another upgrade: ${visible(difference)}; pass another file as --state`,
    );
  const run = new UpgradeRun(
    plan,
    options,
    before ?? { version: 1, fingerprint, steps: {} },
  );
  if (options.access.isAdopted) run.save();
  await run.begin();
  return run.runSteps();
}

class UpgradeRun {
  readonly #plan: UpgradePlan;
  readonly #options: RunOptions;
  readonly #runner: CommandRunner;
  readonly #pins: PinVerifier;
  #state: UpgradeState;

  constructor(plan: UpgradePlan, options: RunOptions, state: UpgradeState) {
    this.#plan = plan;
    this.#options = options;
    this.#state = state;
    this.#runner = new CommandRunner(plan.options, options, {
      get: () => this.#state.old,
      set: (old) => (this.#state = { ...this.#state, old }),
    });
    this.#pins = new PinVerifier(plan.options, options, this.#runner, {
      get: () => this.#state.pins ?? {},
      set: (pins) => (this.#state = { ...this.#state, pins }),
    });
  }

  /** Compares the run with earlier runs. Rejects with StateError. */
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
   * Reports the result; an upgrade is not done while the seed host is in the
   * file.
   */
  #finish(): RunResult {
    const { print, cwd } = this.#options;
    const open = this.#plan.steps.filter(
      ({ id }) => !isCompleted(this.#state, id),
    );
    if (open.length > 0) {
      print(`remaining steps: ${open.map(({ id }) => id).join(", ")}`);
      return { isDone: false };
    }
    if (hasSeedHost(path.resolve(cwd, this.#plan.options.overrides))) {
      const reason =
        "cassandra.externalSeedHost is in the file again; remove it, and apply --datastore";
      print(`not finished: ${reason}`);
      return { isDone: false, stoppedAt: "D6", reason };
    }
    print("the upgrade is done");
    return { isDone: true };
  }

  async #runStep(step: Step): Promise<void> {
    const { only, doneSteps, print } = this.#options;
    const before = this.#state.steps[step.id];
    const isAsked = only?.includes(step.id) === true;
    const hasEnded = isCompleted(this.#state, step.id);
    if (hasEnded && !isAsked) return;
    if (doneSteps.includes(step.id)) return this.#mark(step, "done");
    if (step.isOptional && !isAsked) return this.#mark(step, "skipped");
    print(`${step.id} ${step.title}`);
    await this.#pins.verifyTool(step.phase);
    const isBegun = before !== undefined && !hasEnded;
    if (isBegun) await this.#awaitOrphan(before);
    await this.#confirmDestruction(step);
    await this.#runActions(step, isBegun ? before : undefined);
    for (const check of step.checks) await this.#awaitCheck(step, check);
    this.#mark(step, "done");
  }

  #mark(step: Step, status: "done" | "skipped"): void {
    const before = this.#state.steps[step.id];
    this.#save(step, {
      status,
      actions: step.actions.length,
      startedAt: before?.startedAt ?? now(),
      endedAt: now(),
    });
  }

  /**
   * Waits for the process of a killed run, since running the same command twice
   * at once is worse than waiting.
   */
  async #awaitOrphan({ child }: StepState): Promise<void> {
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

  async #confirmDestruction(step: Step): Promise<void> {
    if (!step.isDestructive) return;
    const missing = incompleteStepsBefore(this.#plan, this.#state, step).join(
      ", ",
    );
    if (missing !== "") {
      if (this.#options.isForced !== true)
        throw new StepError(
          `${step.id} deletes resources, and these steps before it are not done: ${missing}; run them, mark them with --done, or pass --force`,
        );
      this.#options.print(`  --force: continuing without ${missing}`);
    }
    await this.#pins.verifyContext();
    await this.#confirm(
      step,
      `${step.id} deletes resources: ${step.title}. Undo: ${step.undo}. Continue?`,
      "pass --yes to confirm",
    );
  }

  async #confirm(step: Step, question: string, way: string): Promise<void> {
    const answer = await this.#options.confirm(question);
    if (answer === true) return;
    throw new StepError(
      answer === false
        ? "not confirmed"
        : `${step.id} requires confirmation; ${way}`,
    );
  }

  async #runActions(step: Step, before: StepState | undefined): Promise<void> {
    const startedAt = before?.startedAt ?? now();
    const first = before?.actions ?? 0;
    for (const [index, action] of step.actions.entries()) {
      if (index < first) continue;
      const isOpen = index === first && before?.isOpen === true;
      if (await this.#isAlreadyDone(action, isOpen)) {
        this.#options.print("  already done");
      } else {
        this.#save(step, {
          status: "running",
          actions: index,
          isOpen: true,
          startedAt,
        });
        await this.#runAction(step, action, { index, startedAt });
      }
      this.#save(step, { status: "running", actions: index + 1, startedAt });
    }
  }

  /**
   * Returns whether a command can be skipped, by its check: before a second run
   * of a command with unknown result, and before the first run of a skippable
   * one.
   */
  async #isAlreadyDone(action: Action, isOpen: boolean): Promise<boolean> {
    if (action.kind !== "command" || action.isRepeatable) return false;
    if (action.done === undefined) return false;
    if (!isOpen && action.isSkippable !== true) return false;
    this.#options.print(`  checking whether it was done: ${action.done.text}`);
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
      this.#save(step, {
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
      return this.#confirm(
        step,
        `${action.text}. Done?`,
        `when it is done, pass --done ${step.id} or --yes: ${action.text}`,
      );
    if (action.kind === "builtin") return this.#runner.runBuiltin(action.name);
    const { code, error, isTimedOut } = await this.#runner.run(
      action.command,
      (child) =>
        this.#save(step, {
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

  async #awaitCheck(step: Step, check: Check): Promise<void> {
    const reason = await this.#runner.waitFor(check);
    if (reason === undefined) return;
    const own = this.#state.steps[step.id]!;
    this.#save(step, { ...own, status: "failed", endedAt: now(), reason });
    throw new StepError(`${check.text}: ${reason}`);
  }

  #save(step: Step, own: StepState): void {
    const steps = { ...this.#state.steps, [step.id]: own };
    this.#state = { ...this.#state, steps };
    this.save();
  }

  /** Writes the state, sealed with the key of this user. */
  save(): void {
    const { stateFile, access } = this.#options;
    writeState(stateFile, this.#state, access.key);
  }
}

function now(): string {
  return new Date().toISOString();
}
