import type { ProcessIdentity } from "../../platform/process.js";

/** Progress of a step. */
export interface StepState {
  readonly status: "running" | "done" | "failed" | "skipped";
  /** Number of completed actions. */
  readonly actions: number;
  /** True if the next action was started and its result is unknown. */
  readonly isOpen?: true;
  /**
   * Process that runs the action, with its start time if the system reports it.
   */
  readonly child?: ProcessIdentity;
  readonly startedAt: string;
  readonly endedAt?: string;
  readonly reason?: string;
}

/**
 * State of an upgrade. It contains names from the overrides file, and no other
 * values.
 */
export interface UpgradeState {
  readonly version: 1;
  /** Identity of the plan, see `fingerprintOf`. */
  readonly fingerprint: string;
  readonly steps: Readonly<Record<string, StepState>>;
  /** Names of the resources that existed before the installation. */
  readonly old?: readonly string[];
  /** Values that must not change between runs, by name. */
  readonly pins?: Readonly<Record<string, string>>;
}
