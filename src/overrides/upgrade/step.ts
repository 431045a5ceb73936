import type { Argument } from "./argument.js";

/** Program and its arguments, which are passed without a shell. */
export interface StepCommand {
  readonly argv: readonly Argument[];
  /** Directory in which the command runs. Default: the working directory. */
  readonly folder?: Argument;
}

/**
 * Expected output of a command. The expectation is never met if the command
 * fails.
 */
export type Expectation =
  | { readonly kind: "success" }
  /** Output that contains the given text. */
  | { readonly kind: "contains"; readonly text: string }
  /** Output that contains the given line. */
  | { readonly kind: "line"; readonly text: Argument }
  /** Output that must be empty. */
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
   * List of container images, separated by white space, with at least one image.
   * The tags of all images begin with version `least` or a later one.
   */
  | { readonly kind: "images"; readonly least: string }
  /**
   * Output of `nodetool status` in which all nodes are up and normal (`UN`).
   * `least` is the minimum number of nodes in total, and `most` the maximum
   * average number of nodes in each data center.
   */
  | { readonly kind: "ring"; readonly least: number; readonly most?: number }
  /**
   * Output that does not contain the resources of the old version, whose names
   * step C0 recorded.
   */
  | { readonly kind: "old-gone" };

/**
 * Command that is repeated until its output meets an expectation or the timeout
 * expires.
 */
export interface Check {
  readonly text: string;
  readonly command: StepCommand;
  readonly expect: Expectation;
}

/**
 * Names of the actions that are implemented in TypeScript, because no single
 * command can perform them.
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

/** Action of an upgrade step. */
export type Action =
  | {
      readonly kind: "command";
      readonly command: StepCommand;
      /**
       * True if the command is idempotent, so that it may be repeated after an
       * interrupted run.
       */
      readonly isRepeatable: boolean;
      /**
       * Check that succeeds if the command was already executed. It runs before
       * a command that is not idempotent is repeated.
       */
      readonly done?: Check;
      /**
       * True if the check `done` also runs before the first execution of the
       * command. If the check succeeds, the command is skipped.
       */
      readonly isSkippable?: true;
    }
  | {
      readonly kind: "builtin";
      readonly name: Builtin;
      /**
       * Equivalent commands for the user to run, or instructions if no equivalent
       * command exists.
       */
      readonly like: readonly (StepCommand | string)[];
    }
  | {
      /** Action that the user must perform. */
      readonly kind: "manual";
      readonly text: string;
    };

export type Phase = "preparation" | "mesh" | "runtime" | "clean-up";

/** Step of an upgrade plan. */
export interface Step {
  /** Id that is the same in every plan, such as `P1` or `C4-env-test`. */
  readonly id: string;
  readonly phase: Phase;
  readonly title: string;
  readonly preconditions: readonly string[];
  readonly actions: readonly Action[];
  readonly checks: readonly Check[];
  readonly undo: string;
  /** True if the step deletes resources, so it requires confirmation. */
  readonly isDestructive: boolean;
  /** True if the step runs only when the user selects it. */
  readonly isOptional: boolean;
}
