import type { RunOptions } from "./run-options.js";
import { writeState } from "./state-file.js";
import type { StepState, UpgradeState } from "./upgrade-state.js";

/**
 * State of a run. The state file is written whenever the state of a step
 * changes.
 */
export class StateStore {
  readonly #options: Pick<RunOptions, "stateFile" | "access">;
  #state: UpgradeState;

  constructor(
    state: UpgradeState,
    options: Pick<RunOptions, "stateFile" | "access">,
  ) {
    this.#state = state;
    this.#options = options;
  }

  get state(): UpgradeState {
    return this.#state;
  }

  /** Sets the progress of a step and writes the state file. */
  setStep(id: string, step: StepState): void {
    const steps = { ...this.#state.steps, [id]: step };
    this.#state = { ...this.#state, steps };
    this.save();
  }

  /** Sets values in memory. They are written with the next change of a step. */
  set(values: Pick<UpgradeState, "old" | "pins">): void {
    this.#state = { ...this.#state, ...values };
  }

  /** Writes the state file with a seal made with this user's key. */
  save(): void {
    const { stateFile, access } = this.#options;
    writeState(stateFile, this.#state, access.key);
  }
}
