import { updateApis } from "../config/update-apis.js";
import { visible } from "../diagnostics/invisible.js";
import type { Diagnostic } from "../diagnostics/types.js";
import type { RemoteInputs } from "../watch/watch.js";
import { UsageError, type Context } from "./command.js";
import { remoteOptionsOf, type RemoteValues } from "./remote-options.js";

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
