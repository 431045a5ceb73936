import type { Argument } from "./argument.js";

/** Program with its arguments, which are not shell input. */
export interface StepCommand {
  readonly argv: readonly Argument[];
  /** Working folder; absent for the current one. */
  readonly folder?: Argument;
}

/** Condition on the result of a command. A failed command never meets it. */
export type Expectation =
  | { readonly kind: "success" }
  /** The output contains this text. */
  | { readonly kind: "contains"; readonly text: string }
  /** The output contains this line. */
  | { readonly kind: "line"; readonly text: Argument }
  /** The output is empty. */
  | { readonly kind: "nothing" }
  /** `kubectl get nodes` lists at least one node, and each is ready. */
  | { readonly kind: "nodes-ready" }
  /**
   * `kubectl get pods` lists at least one pod, and each is ready or completed.
   */
  | { readonly kind: "pods-ready" }
  /**
   * `nodetool status` lists at least `least` nodes, and each is up and normal;
   * `most` is the maximum of one data center.
   */
  | { readonly kind: "ring"; readonly least: number; readonly most?: number }
  /** The output contains no resource recorded in C0. */
  | { readonly kind: "old-gone" };

/**
 * Command that is repeated until its output meets a condition or the deadline
 * has passed.
 */
export interface Check {
  readonly text: string;
  readonly command: StepCommand;
  readonly expect: Expectation;
}

/** Actions that are implemented here because they need more than a command. */
export type Builtin =
  | "validate"
  | "see-cert-manager"
  | "see-old"
  | "org-properties"
  | "raise-replicas"
  | "note-old"
  | "set-seed"
  | "see-seed"
  | "drop-seed"
  | "finish";

/** Action of a step. */
export type Action =
  | {
      readonly kind: "command";
      readonly command: StepCommand;
      /** True if the command may run again after a run with unknown result. */
      readonly isRepeatable: boolean;
      /** Checked before a command that is not repeatable runs again. */
      readonly done?: Check;
      /** Runs `done` before the first run too. */
      readonly isSkippable?: true;
    }
  | {
      readonly kind: "builtin";
      readonly name: Builtin;
      /** Equivalent manual commands, or sentences if there is no command. */
      readonly like: readonly (StepCommand | string)[];
    }
  | {
      /** Action of the user. */
      readonly kind: "manual";
      readonly text: string;
    };

/** Phases of an upgrade. */
export type Phase = "preparation" | "mesh" | "runtime" | "clean-up";

/** Step of an upgrade. */
export interface Step {
  /** Stable id, such as `P1` or `C4-env-test`. */
  readonly id: string;
  readonly phase: Phase;
  readonly title: string;
  readonly preconditions: readonly string[];
  readonly actions: readonly Action[];
  readonly checks: readonly Check[];
  readonly undo: string;
  /** True if the step deletes resources and requires confirmation. */
  readonly isDestructive: boolean;
  /** True if the step is skipped by default. */
  readonly isOptional: boolean;
}
