import type { ProcessIdentity } from "../../platform/process.js";
import { pause, StepError, type CommandRunner } from "./command-runner.js";
import { isAlive } from "./process-record.js";
import type { RunOptions } from "./run-options.js";
import type { StateStore } from "./state-store.js";
import type { Action, Check, Step } from "./step.js";
import type { StepState } from "./upgrade-state.js";

/** Class that runs the actions and checks of steps and records the progress. */
export class StepRunner {
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
