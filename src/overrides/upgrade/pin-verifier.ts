import { Stop, type Performer } from "./command-runner.js";
import {
  contextPin,
  optionPins,
  pinDifference,
  toolPins,
  type Pins,
} from "./pins.js";
import type { PlanOptions } from "./plan-options.js";
import type { RunOptions } from "./run-options.js";
import { StateError } from "./state.js";
import type { Phase } from "./step.js";

/** Pins in the state of a run. */
interface PinStore {
  readonly get: () => Pins;
  readonly set: (pins: Pins) => void;
}

/** Compares a run with earlier ones, and records what later ones must keep. */
export class PinKeeper {
  readonly #plan: PlanOptions;
  readonly #options: RunOptions;
  readonly #performer: Performer;
  readonly #store: PinStore;
  #isToolPinned = false;

  constructor(
    plan: PlanOptions,
    options: RunOptions,
    performer: Performer,
    store: PinStore,
  ) {
    this.#plan = plan;
    this.#options = options;
    this.#performer = performer;
    this.#store = store;
  }

  /** Before the first step. Rejects with StateError. */
  async begin(): Promise<void> {
    try {
      const context = await this.#context();
      this.#compare({
        ...optionPins(this.#plan, this.#options.cwd),
        ...context,
      });
    } catch (error) {
      if (error instanceof Stop) throw new StateError(error.message);
      throw error;
    }
  }

  /** Before a step that deletes resources, too: the context may change during a run. */
  async context(): Promise<void> {
    this.#compare(await this.#context());
  }

  #context(): Promise<Pins> {
    return contextPin((command) => this.#performer.ask(command));
  }

  /** The tool of the new version may be installed only before the steps of the runtime. */
  async tool(phase: Phase): Promise<void> {
    if (this.#isToolPinned || phase === "preparation" || phase === "mesh")
      return;
    this.#compare(
      await toolPins(this.#plan, (command) => this.#performer.ask(command)),
    );
    this.#isToolPinned = true;
  }

  #compare(now: Pins): void {
    const { say, isChanged } = this.#options;
    const pins = this.#store.get();
    const difference = pinDifference(pins, now);
    if (difference !== undefined && isChanged !== true)
      throw new Stop(
        `this run differs from the earlier ones: ${difference}; give the same, or --accept-changes`,
      );
    if (difference !== undefined) say(`--accept-changes: ${difference}`);
    this.#store.set({ ...pins, ...now });
  }
}
