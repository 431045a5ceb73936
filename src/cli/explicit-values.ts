import type { OptionValues } from "../generate/options.js";

/** Values from the command line and the environment, without defaults. */
export type ExplicitValues = Partial<OptionValues> & {
  /** Labels of APIs in the config; all other APIs are ignored. */
  readonly names?: readonly string[];
  /** True to ignore config files. */
  readonly noConfig?: boolean;
};
