import type { RunConfigOptions } from "../config/api.js";

/** Options of the plugins for bundlers. */
export type PluginOptions = Omit<RunConfigOptions, "force">;
