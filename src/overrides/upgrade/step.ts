import type { Word } from "./argument.js";

/** Program with its arguments; never a line for a shell. */
export interface Command {
  readonly argv: readonly Word[];
  /** Folder to run in; absent for the working folder. */
  readonly folder?: Word;
}

/** Condition on the output of a command. A command that fails meets none. */
export type Expectation =
  | { readonly kind: "success" }
  /** The output has this text. */
  | { readonly kind: "contains"; readonly text: string }
  /** The output has this line. */
  | { readonly kind: "line"; readonly text: Word }
  /** The output is empty. */
  | { readonly kind: "nothing" }
  /** `kubectl get nodes` lists at least one node, and each is ready. */
  | { readonly kind: "nodes-ready" }
  /** `kubectl get pods` lists at least one pod, and each is ready or has completed. */
  | { readonly kind: "pods-ready" }
  /**
   * `nodetool status` lists at least `least` nodes, and each is up and normal;
   * `most` is the limit of one data center.
   */
  | { readonly kind: "ring"; readonly least: number; readonly most?: number }
  /** The output lists no resource that C0 recorded. */
  | { readonly kind: "old-gone" };

/** Command that is repeated until its output meets a condition, or a deadline has passed. */
export interface Check {
  readonly text: string;
  readonly command: Command;
  readonly expect: Expectation;
}

/** What the tool does itself, because a command line could not. */
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

/** One thing that a step does. */
export type Action =
  | {
      readonly kind: "command";
      readonly command: Command;
      /** May be run again when nobody knows whether it was done. */
      readonly isRepeatable: boolean;
      /** Asked before a command that is not repeatable is run again. */
      readonly done?: Check;
      /** Asks `done` before the first run, too. */
      readonly isSkippable?: true;
    }
  | {
      readonly kind: "builtin";
      readonly name: Builtin;
      /** The same by hand: commands, and sentences where no command exists. */
      readonly like: readonly (Command | string)[];
    }
  | {
      /** Something that only a person can do. */
      readonly kind: "manual";
      readonly text: string;
    };

/** Parts of an upgrade. */
export type Phase = "preparation" | "mesh" | "runtime" | "clean-up";

/** One step of an upgrade. */
export interface Step {
  /** Stable: `P1`, `C4-env-test`. */
  readonly id: string;
  readonly phase: Phase;
  readonly title: string;
  readonly preconditions: readonly string[];
  readonly actions: readonly Action[];
  readonly checks: readonly Check[];
  readonly undo: string;
  /** Removes something; has to be confirmed. */
  readonly isDestructive: boolean;
  /** Recommended in production, skipped in demo setups. */
  readonly isOptional: boolean;
}
