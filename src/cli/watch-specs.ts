import { createHash } from "node:crypto";
import { Sink } from "../diagnostics/sink.js";
import { remoteResolver } from "../generate/remote-sources.js";
import type { Settings } from "../generate/settings.js";
import { isApiId } from "../load/sources.js";
import { isUrl } from "../platform/is-url.js";
import type { RemoteInputs } from "../watch/watch.js";
import { pollPeriod, type PollValues } from "./watch-remote.js";

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
