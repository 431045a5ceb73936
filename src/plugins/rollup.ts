import {
  failureOf,
  PLUGIN_NAME,
  PluginRun,
  type PluginOptions,
  type PluginMessage,
} from "./plugin-run.js";

export type { PluginOptions } from "./plugin-run.js";

/** Log entry in the form that Rollup accepts. */
export interface RollupMessage {
  readonly message: string;
  readonly pluginCode: string;
  readonly loc?: {
    readonly file: string;
    readonly line: number;
    readonly column: number;
  };
}

/** Members of Rollup's plugin context that the plugin uses. */
export interface RollupContext {
  addWatchFile(id: string): void;
  warn(message: RollupMessage): void;
  error(message: RollupMessage): never;
}

/** Plugin for Rollup and Rolldown. */
export interface RollupPlugin {
  readonly name: string;
  buildStart(this: RollupContext): Promise<void>;
  watchChange(id: string): void;
}

/**
 * Returns a Rollup plugin that generates the output of a config at the start of
 * each build, before modules are loaded. In watch mode, a change to an input
 * starts a build. A generator error fails the build.
 */
export default function discoveryCodegen(
  options: PluginOptions = {},
): RollupPlugin {
  const run = new PluginRun(options);
  return {
    name: PLUGIN_NAME,
    buildStart() {
      return buildStart(this, run);
    },
    watchChange(id) {
      run.change(id);
    },
  };
}

/** Runs the generator and reports its messages to Rollup. */
export async function buildStart(
  context: RollupContext,
  run: PluginRun,
): Promise<void> {
  const messages = await run.run();
  const { files, folders } = run.inputs;
  for (const name of [...files, ...folders]) context.addWatchFile(name);
  for (const message of messages)
    if (!message.isError) context.warn(rollupMessage(message));
  const failure = failureOf(messages);
  if (failure !== undefined) context.error(rollupMessage(failure));
}

function rollupMessage({
  text,
  code,
  file,
  line,
  column,
}: PluginMessage): RollupMessage {
  return {
    message: text,
    pluginCode: code,
    ...(file === undefined || line === undefined
      ? {}
      : { loc: { file, line, column: column ?? 0 } }),
  };
}
