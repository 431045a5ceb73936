import path from "node:path";
import { createHash } from "node:crypto";
import { visible } from "../diagnostics/invisible.js";
import type { WatchedInputs } from "../watch/snapshot.js";
import { watchInputs, type RemoteInputs } from "../watch/watch.js";
import { type Context, UsageError } from "./command.js";
import { EXTENSIONS } from "../config/find-config.js";
import type { ResolvedConfig } from "../config/job.js";
import { loadConfig } from "../config/load-config.js";
import { watchedInputs } from "../generate/watched-inputs.js";
import type { ExplicitValues } from "./explicit-values.js";
import { Sink } from "../diagnostics/sink.js";
import { remoteResolver } from "../generate/remote-sources.js";
import type { Settings } from "../generate/settings.js";
import { isApiId } from "../load/sources.js";
import { isUrl } from "../platform/is-url.js";
import { updateApis } from "../config/update-apis.js";
import type { Diagnostic } from "../diagnostics/types.js";
import { remoteOptionsOf, type RemoteValues } from "./remote-options.js";

const SIGNALS = ["SIGINT", "SIGTERM"] as const;

/** Exit code after a second signal: 128 + SIGINT. */
const INTERRUPTED = 130;

/** Milliseconds that the process waits for pending requests before it exits. */
const GRACE = 500;

/** Maximum number of changed files that are listed in a message. */
const MAX_NAMED = 3;

/**
 * Settings of `watchRuns`, which runs the generator after each change to an
 * input.
 */
export interface WatchRuns {
  /** Lists the inputs; called again after each file system event. */
  inputs(): Promise<WatchedInputs>;
  /** Generates the output and reports the result. */
  run(): Promise<unknown>;
  readonly remote?: RemoteInputs | undefined;
  /** True to suppress messages about changes. */
  readonly isQuiet: boolean;
}

/**
 * Runs the generator immediately, and again after each change to an input.
 * SIGINT and SIGTERM end the watch after the current run. A second signal ends
 * the process immediately, but never leaves incomplete output. Returns the exit
 * code.
 */
export async function watchRuns(
  { inputs, run, remote, isQuiet }: WatchRuns,
  { cwd, output }: Context,
): Promise<number> {
  const stop = new AbortController();
  const onSignal = (): void => {
    if (stop.signal.aborted) process.exit(INTERRUPTED);
    stop.abort();
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
  const say = (text: string): void => {
    if (!isQuiet) output.err(`${text}\n`);
  };
  let isFirst = true;
  try {
    await watchInputs({
      inputs,
      remote,
      signal: stop.signal,
      run: async (changed) => {
        if (!isFirst) say(changeText(changed, cwd));
        await run();
        if (isFirst) say("Watching for changes; press Ctrl-C to stop.");
        isFirst = false;
      },
    });
    return 0;
  } finally {
    for (const signal of SIGNALS) process.off(signal, onSignal);
    // The process exits after a delay even if a server does not respond.
    if (remote !== undefined) setTimeout(() => process.exit(), GRACE).unref();
  }
}

function changeText(changed: readonly string[], cwd: string): string {
  if (changed.length === 0) return "Changed: remote documents";
  const names = changed
    .slice(0, MAX_NAMED)
    .map((file) => visible(path.relative(cwd, file)));
  const rest = changed.length - names.length;
  const more = rest === 0 ? "" : ` and ${rest} more`;
  return `Changed: ${names.join(", ")}${more}`;
}

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

/**
 * Returns the URLs and API names given with `--spec` as remote inputs to poll.
 */
export function specInputs(
  values: PollValues,
  { specs, remote = {}, out }: Pick<Settings, "specs" | "remote" | "out">,
): RemoteInputs | undefined {
  const period = pollPeriod(values);
  const names = specs
    .map(({ spec }) => spec)
    .filter((spec) => isUrl(spec) || isApiId(spec));
  if (period === undefined || names.length === 0) return undefined;
  const resolve = remoteResolver(remote, out);
  const hashes = new Map<string, string>();
  const compare = async (): Promise<boolean> => {
    let isChanged = false;
    for (const name of names) {
      const bytes = await resolve(name, new Sink());
      if (bytes === undefined) continue;
      const hash = createHash("sha256").update(bytes).digest("hex");
      const known = hashes.get(name);
      isChanged ||= known !== undefined && known !== hash;
      hashes.set(name, hash);
    }
    return isChanged;
  };
  // The documents are fetched before the first run, so that a change during
  // that run is detected.
  const first = compare();
  const hasChanged = async (): Promise<boolean> => {
    await first;
    return compare();
  };
  return { period, hasChanged };
}

/** Maximum polling interval in seconds: one day. */
const MAX_SECONDS = 86_400;

/** Command-line options that control the polling of remote documents. */
export interface PollValues extends RemoteValues {
  readonly poll?: string | undefined;
  readonly frozen?: boolean | undefined;
  readonly config?: string | undefined;
  readonly names?: readonly string[] | undefined;
  readonly api?: readonly string[] | undefined;
}

/** Queue that runs actions one after another. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve();

  take<T>(action: () => Promise<T>): Promise<T> {
    const next = this.#last.then(action);
    this.#last = next.catch(() => {});
    return next;
  }
}

/**
 * Returns the interval of `--poll` in milliseconds; undefined if polling is
 * disabled.
 */
export function pollPeriod({
  poll = "60",
  offline,
  frozen,
}: PollValues): number | undefined {
  if (!/^\d{1,5}$/.test(poll) || Number(poll) > MAX_SECONDS)
    throw new UsageError(
      `--poll must be an integer from 0 to ${MAX_SECONDS}, found ${JSON.stringify(poll)}`,
    );
  return poll === "0" || offline === true || frozen === true
    ? undefined
    : Number(poll) * 1000;
}

/**
 * Returns the remote documents of a config as watched inputs. Changed documents
 * are stored and locked in the same way as by `gen fetch`; the changed files
 * then trigger a run. A failure that occurs again is printed only once.
 * @param turns queue that prevents runs while documents and the lock file are
 * written
 */
export function configInputs(
  values: PollValues,
  turns: Turns,
  isQuiet: boolean,
  { cwd, output }: Context,
): RemoteInputs | undefined {
  const period = pollPeriod(values);
  if (period === undefined) return undefined;
  const { config, names = [], api = [] } = values;
  const options = {
    ...remoteOptionsOf(values),
    cwd,
    config,
    apis: [...names, ...api],
  };
  let last = "";
  const hasChanged = async (): Promise<boolean> => {
    const { diagnostics } = await turns.take(() => updateApis(options));
    const text = textOf(diagnostics);
    if (text !== "" && text !== last && !isQuiet) output.err(text);
    last = text;
    return false;
  };
  return { period, hasChanged };
}

function textOf(diagnostics: readonly Diagnostic[]): string {
  return diagnostics
    .filter(({ code }) => code.startsWith("remote-"))
    .map(({ message }) => `${visible(message)}\n`)
    .join("");
}
