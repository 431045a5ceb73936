import type { ProcessIdentity } from "../../platform/process.js";

/** Progress of a step. */
export interface StepState {
  readonly status: "running" | "done" | "failed" | "skipped";
  /** Number of completed actions. */
  readonly actions: number;
  /**
   * True if the next action was started, but it is unknown whether it was
   * completed.
   */
  readonly isOpen?: true;
  /**
   * Process that runs the current action. The start time of the process is
   * included if the operating system reports it.
   */
  readonly child?: ProcessIdentity;
  readonly startedAt: string;
  readonly endedAt?: string;
  readonly reason?: string;
}

/**
 * Stored state of an upgrade. It contains names from the overrides file, but no
 * values.
 */
export interface UpgradeState {
  readonly version: 1;
  /** Fingerprint that identifies the plan; see `fingerprintOf`. */
  readonly fingerprint: string;
  readonly steps: Readonly<Record<string, StepState>>;
  /** Names of the old runtime's resources, recorded before the installation. */
  readonly old?: readonly string[];
  /** Values that must not change between runs, keyed by name. */
  readonly pins?: Readonly<Record<string, string>>;
}
