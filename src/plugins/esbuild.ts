import {
  PLUGIN_NAME,
  PluginRun,
  type PluginOptions,
  type PluginMessage,
  type PluginMessages,
} from "./plugin-run.js";

export type { PluginOptions } from "./plugin-run.js";

/** Error or warning in the form that esbuild accepts. */
export interface EsbuildMessage {
  readonly text: string;
  /** Diagnostic code. */
  readonly detail: string;
  readonly location: {
    readonly file: string;
    readonly line: number;
    readonly column: number;
  } | null;
}

/** Errors and warnings that esbuild accepts from callbacks. */
export interface EsbuildMessages {
  errors: EsbuildMessage[];
  warnings: EsbuildMessage[];
}

/** Members of esbuild's `PluginBuild` that the plugin uses. */
export interface EsbuildBuild {
  readonly initialOptions: {
    readonly absWorkingDir?: string;
    readonly bundle?: boolean;
    inject?: string[];
  };
  onStart(callback: () => Promise<EsbuildMessages>): void;
  onResolve(
    options: { filter: RegExp },
    callback: () => { path: string; namespace: string; sideEffects: boolean },
  ): void;
  onLoad(
    options: { filter: RegExp; namespace: string },
    callback: () => Promise<
      EsbuildMessages & {
        contents: string;
        watchFiles: string[];
        watchDirs: string[];
      }
    >,
  ): void;
}

/** Plugin object that esbuild accepts. */
export interface EsbuildPlugin {
  name: string;
  setup(build: EsbuildBuild): void;
}

/**
 * Returns an esbuild plugin that generates the output of a config at the start
 * of each build, before modules are loaded. In watch mode, a change to an input
 * starts a build. A generator error fails the build.
 */
export default function discoveryCodegen(
  options: PluginOptions = {},
): EsbuildPlugin {
  return {
    name: PLUGIN_NAME,
    setup(build) {
      const run = new PluginRun(options);
      const { absWorkingDir } = build.initialOptions;
      if (absWorkingDir !== undefined) run.useFolder(absWorkingDir);
      build.onStart(async () => {
        run.invalidate();
        return esbuildMessages(await run.run());
      });
      if (build.initialOptions.bundle === true) watchInputs(build, run);
    },
  };
}

/**
 * Adds an empty module that depends on the inputs, because only modules can
 * register files to watch. The bundle does not contain this module.
 */
function watchInputs(build: EsbuildBuild, run: PluginRun): void {
  const { initialOptions } = build;
  const id = `${PLUGIN_NAME}:inputs`;
  initialOptions.inject = [...(initialOptions.inject ?? []), id];
  build.onResolve({ filter: new RegExp(`^${id}$`) }, () => ({
    path: id,
    namespace: PLUGIN_NAME,
    sideEffects: false,
  }));
  build.onLoad({ filter: /^/, namespace: PLUGIN_NAME }, async () => {
    // esbuild starts to watch the inputs when this callback has returned.
    // Changes between the start of the run and this point are detected here.
    const messages = run.checkInputs() ? await run.run() : [];
    return {
      ...esbuildMessages(messages),
      contents: "",
      watchFiles: [...run.inputs.files],
      watchDirs: [...run.inputs.folders],
    };
  });
}

function esbuildMessages(messages: PluginMessages): EsbuildMessages {
  const select = (isError: boolean): EsbuildMessage[] =>
    messages.filter((one) => one.isError === isError).map(esbuildMessage);
  return { errors: select(true), warnings: select(false) };
}

function esbuildMessage({
  text,
  code,
  file,
  line,
  column = 0,
}: PluginMessage): EsbuildMessage {
  return {
    text,
    detail: code,
    location:
      file === undefined || line === undefined ? null : { file, line, column },
  };
}
