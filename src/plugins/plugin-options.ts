import type { RunConfigOptions } from "../config/api.js";

/** Options of the bundler plugins. */
export type PluginOptions = Omit<RunConfigOptions, "force">;
