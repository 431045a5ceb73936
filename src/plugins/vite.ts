import {
  failureOf,
  PLUGIN_NAME,
  PluginRun,
  type PluginOptions,
} from "./plugin-run.js";
import { buildStart, type RollupContext } from "./rollup.js";

export type { PluginOptions } from "./plugin-run.js";

/**
 * Milliseconds between a change and the generation. Vite reports changes to a
 * file at most every 50 ms, so an earlier generation could miss the last
 * change.
 */
const DELAY = 100;

/** Members of Vite's resolved config that the plugin uses. */
export interface ViteConfig {
  readonly root: string;
  readonly command: "build" | "serve";
  readonly logger: {
    warn(message: string): void;
    error(message: string): void;
  };
}

/** Members of Vite's development server that the plugin uses. */
export interface ViteServer {
  readonly watcher: {
    add(paths: readonly string[]): unknown;
    on(
      event: "add" | "change" | "unlink",
      listener: (path: string) => void,
    ): unknown;
  };
}

/** Plugin object that Vite accepts. */
export interface VitePlugin {
  readonly name: string;
  readonly enforce: "pre";
  configResolved(config: ViteConfig): void;
  configureServer(server: ViteServer): Promise<void>;
  buildStart(this: RollupContext): Promise<void>;
  watchChange(id: string): void;
}

/**
 * Returns a Vite plugin that generates the output of a config. A build
 * generates at its start, and a generator error fails the build. The
 * development server generates at its start and after each change to an input;
 * it logs errors and keeps the existing output.
 */
export default function discoveryCodegen(
  options: PluginOptions = {},
): VitePlugin {
  const run = new PluginRun(options);
  let config: ViteConfig | undefined;
  const isServing = (): boolean => config?.command === "serve";
  return {
    name: PLUGIN_NAME,
    enforce: "pre",
    configResolved(resolved) {
      config = resolved;
      run.useFolder(resolved.root);
    },
    async configureServer({ watcher }) {
      const generate = async (): Promise<void> => {
        await runAndLog(run, config!.logger);
        const { files, folders } = run.inputs;
        watcher.add([...files, ...folders]);
      };
      let timer: NodeJS.Timeout | undefined;
      for (const event of ["add", "change", "unlink"] as const)
        watcher.on(event, (name) => {
          if (!run.change(name)) return;
          clearTimeout(timer);
          timer = setTimeout(() => void generate(), DELAY);
        });
      await generate();
    },
    async buildStart() {
      if (!isServing()) await buildStart(this, run);
    },
    watchChange(id) {
      if (!isServing()) run.change(id);
    },
  };
}

/** Generates the output and logs errors and warnings. */
async function runAndLog(
  run: PluginRun,
  logger: ViteConfig["logger"],
): Promise<void> {
  const messages = await run.run();
  for (const { isError, text } of messages)
    if (!isError) logger.warn(`[${PLUGIN_NAME}] ${text}`);
  const failure = failureOf(messages);
  if (failure !== undefined) logger.error(`[${PLUGIN_NAME}] ${failure.text}`);
}
