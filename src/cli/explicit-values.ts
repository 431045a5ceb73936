import type { OptionValues } from "../generate/options.js";

/** Values of the command line and environment, without defaults. */
export type ExplicitValues = Partial<OptionValues> & {
  /** Labels of the config's APIs. */
  readonly names?: readonly string[];
};
