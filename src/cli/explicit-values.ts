import type { OptionValues } from "../generate/options.js";

/** Values from the command line and the environment, without defaults. */
export type ExplicitValues = Partial<OptionValues> & {
  /** Labels of the config's APIs. */
  readonly names?: readonly string[];
};
