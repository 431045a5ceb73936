import path from "node:path";
import { visible } from "../../diagnostics/reporters/output.js";
import { fingerprintOf, type Plan } from "./plan.js";
import { pause, Performer, Stop } from "./command-runner.js";
import type { RunOptions, RunResult } from "./run-options.js";
import { hasSeed } from "./seed-host.js";
import {
  isAlive,
  readState,
  StateError,
  writeState,
  type StepState,
  type UpgradeState,
} from "./state.js";
import { planDifference } from "./state-problem.js";
import { isOver, missingBefore, selectedSteps } from "./step-order.js";
import { PinKeeper } from "./pin-verifier.js";
import type { Action, Check, Step } from "./step.js";

/** Carries out a plan from where its state is. Throws StateError for the state of another plan. */
export async function runUpgrade(
  plan: Plan,
  options: RunOptions,
): Promise<RunResult> {
  const fingerprint = fingerprintOf(plan);
  const { stateFile, access } = options;
  const before = readState(stateFile, access);
  const difference = before && planDifference(before, plan, fingerprint);
  if (difference !== undefined)
    throw new StateError(
      `${stateFile} belongs to another upgrade: ${visible(difference)}; give --state another file`,
    );
  const run = new Run(
    plan,
    options,
    before ?? { version: 1, fingerprint, steps: {} },
  );
  if (options.access.isAdopted) run.save();
  await run.begin();
  return run.all();
}

class Run {
  readonly #plan: Plan;
  readonly #options: RunOptions;
  readonly #performer: Performer;
  readonly #pins: PinKeeper;
  #state: UpgradeState;

  constructor(plan: Plan, options: RunOptions, state: UpgradeState) {
    this.#plan = plan;
    this.#options = options;
    this.#state = state;
    this.#performer = new Performer(plan.options, options, {
      get: () => this.#state.old,
      set: (old) => (this.#state = { ...this.#state, old }),
    });
    this.#pins = new PinKeeper(plan.options, options, this.#performer, {
      get: () => this.#state.pins ?? {},
      set: (pins) => (this.#state = { ...this.#state, pins }),
    });
  }

  /** Compares the run with earlier ones. Rejects with StateError. */
  begin(): Promise<void> {
    return this.#pins.begin();
  }

  async all(): Promise<RunResult> {
    for (const step of selectedSteps(this.#plan, this.#options)) {
      try {
        await this.#step(step);
      } catch (error) {
        const reason = (error as Error).message;
        this.#options.say(`${step.id} stopped: ${reason}`);
        return { isDone: false, stoppedAt: step.id, reason };
      }
    }
    return this.#end();
  }

  /** Done is done only when the file is as it has to be. */
  #end(): RunResult {
    const { say, cwd } = this.#options;
    const open = this.#plan.steps.filter(({ id }) => !isOver(this.#state, id));
    if (open.length > 0) {
      say(`still to do: ${open.map(({ id }) => id).join(", ")}`);
      return { isDone: false };
    }
    if (hasSeed(path.resolve(cwd, this.#plan.options.overrides))) {
      const reason =
        "cassandra.externalSeedHost is in the file again; remove it, and apply --datastore";
      say(`not finished: ${reason}`);
      return { isDone: false, stoppedAt: "D6", reason };
    }
    say("the upgrade is done");
    return { isDone: true };
  }

  async #step(step: Step): Promise<void> {
    const { only, done, say } = this.#options;
    const before = this.#state.steps[step.id];
    const isAsked = only?.includes(step.id) === true;
    const hasEnded = isOver(this.#state, step.id);
    if (hasEnded && !isAsked) return;
    if (done.includes(step.id)) return this.#mark(step, "done");
    if (step.isOptional && !isAsked) return this.#mark(step, "skipped");
    say(`${step.id} ${step.title}`);
    await this.#pins.tool(step.phase);
    const isBegun = before !== undefined && !hasEnded;
    if (isBegun) await this.#awaitOrphan(before);
    await this.#refuseDestruction(step);
    await this.#actions(step, isBegun ? before : undefined);
    for (const check of step.checks) await this.#check(step, check);
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

  /** What a killed run began goes on without it; two at once would be worse than waiting. */
  async #awaitOrphan({ child }: StepState): Promise<void> {
    const { deadline, interval, say } = this.#options;
    if (child === undefined || !isAlive(child)) return;
    say(`waiting for process ${child.pid} of the run before`);
    const end = Date.now() + deadline;
    while (isAlive(child)) {
      if (Date.now() > end)
        throw new Stop(`process ${child.pid} of the run before does not end`);
      await pause(Math.min(interval, 1000));
    }
  }

  async #refuseDestruction(step: Step): Promise<void> {
    if (!step.isDestructive) return;
    const missing = missingBefore(this.#plan, this.#state, step).join(", ");
    if (missing !== "") {
      if (this.#options.isForced !== true)
        throw new Stop(
          `${step.id} deletes resources, and these steps before it are not done: ${missing}; run them, report them by --done, or give --force`,
        );
      this.#options.say(`  --force: without ${missing}`);
    }
    await this.#pins.context();
    await this.#ask(
      step,
      `${step.id} deletes resources: ${step.title}. Way back: ${step.undo}. Go on?`,
      "--yes confirms it",
    );
  }

  async #ask(step: Step, question: string, way: string): Promise<void> {
    const answer = await this.#options.confirm(question);
    if (answer === true) return;
    throw new Stop(
      answer === false
        ? "not confirmed"
        : `${step.id} has to be confirmed; ${way}`,
    );
  }

  async #actions(step: Step, before: StepState | undefined): Promise<void> {
    const startedAt = before?.startedAt ?? now();
    const first = before?.actions ?? 0;
    for (const [index, action] of step.actions.entries()) {
      if (index < first) continue;
      const isOpen = index === first && before?.isOpen === true;
      if (await this.#wasDone(action, isOpen)) {
        this.#options.say("  it is done already");
      } else {
        this.#save(step, {
          status: "running",
          actions: index,
          isOpen: true,
          startedAt,
        });
        await this.#act(step, action, { index, startedAt });
      }
      this.#save(step, { status: "running", actions: index + 1, startedAt });
    }
  }

  /**
   * Whether a command needs no (further) run: one whose end no run saw, or one
   * that asks before its first run, too.
   */
  async #wasDone(action: Action, isOpen: boolean): Promise<boolean> {
    if (action.kind !== "command" || action.isRepeatable) return false;
    if (action.done === undefined) return false;
    if (!isOpen && action.isSkippable !== true) return false;
    this.#options.say(`  was it done? ${action.done.text}`);
    return (await this.#performer.unmet(action.done)) === undefined;
  }

  async #act(
    step: Step,
    action: Action,
    at: { index: number; startedAt: string },
  ): Promise<void> {
    try {
      await this.#do(step, action, at);
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

  async #do(
    step: Step,
    action: Action,
    { index, startedAt }: { index: number; startedAt: string },
  ): Promise<void> {
    if (action.kind === "manual")
      return this.#ask(
        step,
        `${action.text}. Done?`,
        `when it is done, --done ${step.id} or --yes goes on: ${action.text}`,
      );
    if (action.kind === "builtin") return this.#performer.own(action.name);
    const { code, error, isLate } = await this.#performer.show(
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
    if (isLate)
      throw new Stop(`no end after ${this.#options.deadline / 1000} s`);
    if (code !== 0) throw new Stop(error ?? `exit code ${code}`);
  }

  async #check(step: Step, check: Check): Promise<void> {
    const reason = await this.#performer.waitFor(check);
    if (reason === undefined) return;
    const own = this.#state.steps[step.id]!;
    this.#save(step, { ...own, status: "failed", endedAt: now(), reason });
    throw new Stop(`${check.text}: ${reason}`);
  }

  #save(step: Step, own: StepState): void {
    const steps = { ...this.#state.steps, [step.id]: own };
    this.#state = { ...this.#state, steps };
    this.save();
  }

  /** Writes the state with the seal of this user. */
  save(): void {
    const { stateFile, access } = this.#options;
    writeState(stateFile, this.#state, access.key);
  }
}

function now(): string {
  return new Date().toISOString();
}
