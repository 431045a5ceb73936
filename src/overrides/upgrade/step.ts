/** A program with its arguments; never a line for a shell. */
export interface Command {
  readonly argv: readonly string[];
  /** Folder to run in; absent for the one that gen runs in. */
  readonly folder?: string;
}

/** How the output of a command tells that something is so. */
export type Expectation =
  /** It ends with 0. */
  | { readonly kind: "success" }
  /** It ends with 0 and prints something that matches. */
  | { readonly kind: "matches"; readonly pattern: string }
  /** It ends with 0 and prints nothing. */
  | { readonly kind: "nothing" }
  /** It ends with 0 and no line matches. */
  | { readonly kind: "lacks"; readonly pattern: string }
  /** Each node of the ring is up and normal, and there are at least so many. */
  | { readonly kind: "ring"; readonly least: number; readonly most?: number }
  /** None of the resources that were noted before the installation is there. */
  | { readonly kind: "old-gone" };

/** A command that is asked until it says yes, or a deadline is over. */
export interface Check {
  readonly text: string;
  readonly command: Command;
  readonly expect: Expectation;
}

/** What the tool does itself, because a command line could not. */
export type Builtin =
  | "validate"
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
      /** Tells whether it was done; asked before one that is not repeatable is run again. */
      readonly done?: Check;
    }
  | {
      readonly kind: "builtin";
      readonly name: Builtin;
      /** What it does, as commands that a person could type. */
      readonly like: readonly string[];
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
