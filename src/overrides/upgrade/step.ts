import type { Argument } from "./argument.js";

/** Program and its arguments, which no shell interprets. */
export interface StepCommand {
  readonly argv: readonly Argument[];
  /** Working folder; absent for the current folder. */
  readonly folder?: Argument;
}

/**
 * Expected output of a command. If the command fails, the expectation is not
 * met.
 */
export type Expectation =
  | { readonly kind: "success" }
  /** Output that contains the given text. */
  | { readonly kind: "contains"; readonly text: string }
  /** Output that contains the given line. */
  | { readonly kind: "line"; readonly text: Argument }
  /** Empty output. */
  | { readonly kind: "nothing" }
  /**
   * Output of `kubectl get nodes` with at least one node, all of them ready.
   */
  | { readonly kind: "nodes-ready" }
  /**
   * Output of `kubectl get pods` with at least one pod, all of them ready or
   * completed.
   */
  | { readonly kind: "pods-ready" }
  /**
   * Output of `nodetool status` with at least `least` nodes, all of them up and
   * normal. `most` is the maximum number of nodes in one data center.
   */
  | { readonly kind: "ring"; readonly least: number; readonly most?: number }
  /**
   * Output that contains none of the resources of the old version, which step
   * C0 recorded.
   */
  | { readonly kind: "old-gone" };

/**
 * Command that is repeated until its output meets the expectation or the
 * timeout expires.
 */
export interface Check {
  readonly text: string;
  readonly command: StepCommand;
  readonly expect: Expectation;
}

/**
 * Names of actions that are implemented in TypeScript, because a single command
 * can't perform them.
 */
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
      /**
       * True if the command is idempotent, so it can run again if an earlier
       * run was interrupted.
       */
      readonly isRepeatable: boolean;
      /**
       * Check that the command already succeeded. It runs before a command that
       * is not idempotent is repeated.
       */
      readonly done?: Check;
      /**
       * True to run the check `done` before the first run of the command too.
       */
      readonly isSkippable?: true;
    }
  | {
      readonly kind: "builtin";
      readonly name: Builtin;
      /**
       * Equivalent commands to run manually, or sentences if no command is
       * equivalent.
       */
      readonly like: readonly (StepCommand | string)[];
    }
  | {
      /** Action that the user must perform. */
      readonly kind: "manual";
      readonly text: string;
    };

/** Phases of an upgrade. */
export type Phase = "preparation" | "mesh" | "runtime" | "clean-up";

/** Step of an upgrade. */
export interface Step {
  /** Id that does not change between plans, such as `P1` or `C4-env-test`. */
  readonly id: string;
  readonly phase: Phase;
  readonly title: string;
  readonly preconditions: readonly string[];
  readonly actions: readonly Action[];
  readonly checks: readonly Check[];
  readonly undo: string;
  /** True if the step deletes resources, so it requires confirmation. */
  readonly isDestructive: boolean;
  /** True if the step is skipped unless the user selects it. */
  readonly isOptional: boolean;
}
