import { StepError, type CommandRunner } from "./command-runner.js";
import {
  contextPin,
  optionPins,
  pinDifference,
  toolPins,
  type Pins,
} from "./pins.js";
import type { PlanOptions } from "./plan-options.js";
import type { RunOptions } from "./run-options.js";
import { StateError } from "./state-file.js";
import type { Phase } from "./step.js";

/**
 * Functions that read and write the values in the stored state that must not
 * change between runs.
 */
interface PinStore {
  readonly get: () => Pins;
  readonly set: (pins: Pins) => void;
}

/**
 * Class that compares values of this run with those of earlier runs, and
 * records the values that must not change in later runs.
 */
export class PinVerifier {
  readonly #plan: PlanOptions;
  readonly #options: RunOptions;
  readonly #runner: CommandRunner;
  readonly #store: PinStore;
  #isToolPinned = false;

  constructor(
    plan: PlanOptions,
    options: RunOptions,
    runner: CommandRunner,
    store: PinStore,
  ) {
    this.#plan = plan;
    this.#options = options;
    this.#runner = runner;
    this.#store = store;
  }

  /**
   * Compares the options and the kubectl context with those of earlier runs
   * before the first step. Rejects with StateError if they differ.
   */
  async verifyOptions(): Promise<void> {
    try {
      const context = await this.#context();
      this.#compare({
        ...optionPins(this.#plan, this.#options.cwd),
        ...context,
      });
    } catch (error) {
      if (error instanceof StepError) throw new StateError(error.message);
      throw error;
    }
  }

  /**
   * Compares the kubectl context with that of earlier runs before each
   * destructive step, because the user can switch the context during a run.
   */
  async verifyContext(): Promise<void> {
    this.#compare(await this.#context());
  }

  #context(): Promise<Pins> {
    return contextPin((command) => this.#runner.query(command));
  }

  /**
   * Compares the version of `apigeectl` with that of earlier runs before the
   * first step that uses it. The user may install `apigeectl` after the upgrade
   * has started.
   */
  async verifyTool(phase: Phase): Promise<void> {
    if (this.#isToolPinned || phase === "preparation" || phase === "mesh")
      return;
    this.#compare(
      await toolPins(this.#plan, (command) => this.#runner.query(command)),
    );
    this.#isToolPinned = true;
  }

  #compare(now: Pins): void {
    const { print, acceptsChanges } = this.#options;
    const pins = this.#store.get();
    const difference = pinDifference(pins, now);
    if (difference !== undefined && acceptsChanges !== true)
      throw new StepError(
        `this run differs from earlier runs: ${difference}; restore these values, or pass --accept-changes`,
      );
    if (difference !== undefined) print(`--accept-changes: ${difference}`);
    this.#store.set({ ...pins, ...now });
  }
}
