import path from "node:path";
import { EXTENSIONS } from "../config/find-config.js";
import type { ResolvedConfig } from "../config/job.js";
import { loadConfig } from "../config/load-config.js";
import { watchedInputs } from "../generate/watched-inputs.js";
import type { WatchedInputs } from "../watch/snapshot.js";
import type { Context } from "./command.js";
import type { ExplicitValues } from "./explicit-values.js";
import { configInputs, Turns } from "./watch-remote.js";
import { watchRuns } from "./watch.js";

/**
 * Runs the jobs of the config immediately, and again after each change to the
 * config or to an input of its jobs. While the config is invalid, the inputs of
 * the last valid config are watched.
 */
export function watchConfig(
  values: ExplicitValues,
  run: () => Promise<number>,
  context: Context,
): Promise<number> {
  const { config, quiet, format } = values;
  const { cwd } = context;
  const turns = new Turns();
  let last: ResolvedConfig | undefined;
  const inputs = async (): Promise<WatchedInputs> => {
    const { resolved, file } = await loadConfig({ cwd, config });
    last = resolved ?? last;
    const files = file === undefined ? possibleConfigs(cwd, config) : [file];
    return merge(files, await jobInputs(last, cwd));
  };
  const isQuiet = quiet === true || (format ?? "text") !== "text";
  const remote = configInputs(values, turns, isQuiet, context);
  return watchRuns(
    { inputs, run: () => turns.take(run), remote, isQuiet },
    context,
  );
}

function jobInputs(
  config: ResolvedConfig | undefined,
  cwd: string,
): Promise<WatchedInputs[]> {
  const jobs = config?.jobs ?? [];
  return Promise.all(
    jobs.map(({ out, apis, options: { templates } }) =>
      watchedInputs(
        {
          specs: apis.map(({ file, settings }) => ({ spec: file, settings })),
          cwd,
          out,
          templates,
        },
        apis.flatMap(({ patches }) => patches),
      ),
    ),
  );
}

function merge(
  files: readonly string[],
  inputs: readonly WatchedInputs[],
): WatchedInputs {
  return {
    files: [...files, ...inputs.flatMap((input) => input.files)],
    folders: inputs.flatMap(({ folders }) => folders),
  };
}

/**
 * Returns the paths at which `gen` would find a config file that is created
 * later.
 */
function possibleConfigs(cwd: string, config: string | undefined): string[] {
  const names = EXTENSIONS.map((extension) => `gen.config.${extension}`);
  return (config === undefined ? names : [config]).map((name) =>
    path.resolve(cwd, name),
  );
}
