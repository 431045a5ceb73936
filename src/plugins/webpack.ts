import {
  PLUGIN_NAME,
  PluginRun,
  type PluginOptions,
  type PluginMessage,
  type PluginMessages,
} from "./plugin-run.js";

export type { PluginOptions } from "./plugin-run.js";

/** Set of paths that webpack watches. */
interface PathSet {
  add(path: string): unknown;
}

/** Members of webpack's compilation that the plugin uses. */
export interface WebpackCompilation {
  readonly errors: unknown[];
  readonly warnings: unknown[];
  readonly fileDependencies: PathSet;
  readonly contextDependencies: PathSet;
}

/** Members of webpack's compiler that the plugin uses. */
export interface WebpackCompiler {
  readonly context: string;
  readonly modifiedFiles?: ReadonlySet<string> | undefined;
  readonly removedFiles?: ReadonlySet<string> | undefined;
  readonly hooks: {
    readonly beforeRun: AsyncHook;
    readonly watchRun: AsyncHook;
    readonly thisCompilation: {
      tap(
        name: string,
        listener: (compilation: WebpackCompilation) => void,
      ): void;
    };
  };
}

interface AsyncHook {
  tapPromise(name: string, listener: () => Promise<void>): void;
}

/** Plugin for webpack and Rspack. */
export interface WebpackPlugin {
  apply(compiler: WebpackCompiler): void;
}

/**
 * Returns a webpack plugin that generates the output of a config at the start
 * of each compilation, before modules are loaded. In watch mode, a change to an
 * input starts a compilation. Generator errors become errors of the
 * compilation.
 */
export default function discoveryCodegen(
  options: PluginOptions = {},
): WebpackPlugin {
  return { apply: (compiler) => apply(compiler, new PluginRun(options)) };
}

function apply(compiler: WebpackCompiler, run: PluginRun): void {
  const { hooks } = compiler;
  let messages: PluginMessages = [];
  run.useFolder(compiler.context);
  const generate = async (): Promise<void> => {
    messages = await run.run();
  };
  hooks.beforeRun.tapPromise(PLUGIN_NAME, generate);
  hooks.watchRun.tapPromise(PLUGIN_NAME, () => {
    for (const paths of [compiler.modifiedFiles, compiler.removedFiles])
      for (const file of paths ?? []) run.change(file);
    return generate();
  });
  hooks.thisCompilation.tap(PLUGIN_NAME, (compilation) => {
    for (const message of messages)
      (message.isError ? compilation.errors : compilation.warnings).push(
        errorOf(message),
      );
    const { files, folders } = run.inputs;
    for (const file of files) compilation.fileDependencies.add(file);
    for (const folder of folders) compilation.contextDependencies.add(folder);
  });
}

/** Returns an error that webpack prints without a stack trace. */
function errorOf({ text }: PluginMessage): Error {
  const error = new Error(`[${PLUGIN_NAME}] ${text}`);
  delete error.stack;
  return Object.assign(error, { hideStack: true });
}
