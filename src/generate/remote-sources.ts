import type { ResolveRemote } from "../load/sources.js";
import type { DocumentFetcher } from "../remote/document-fetcher.js";
import type { RemoteOptions } from "../remote/remote-options.js";

/**
 * Returns a function that fetches the remote documents given with `--spec`. The
 * HTTP client is imported on first use, since most runs read only files.
 * @param out output folder; a cache inside it is not used, because a repository
 * could contain forged responses
 */
export function remoteResolver(
  options: RemoteOptions,
  out: string,
): ResolveRemote {
  let remote: DocumentFetcher | undefined;
  return async (spec, sink) => {
    const { DocumentFetcher, reportRemote } =
      await import("../remote/document-fetcher.js");
    const isUrl = /^https?:\/\//i.test(spec);
    try {
      remote ??= new DocumentFetcher(options, out);
      const { document, failure } = await remote.fetch(
        { id: spec, source: isUrl ? spec : undefined },
        true,
      );
      if (failure !== undefined) sink.report("remote-stale", failure.message);
      return document.bytes;
    } catch (error) {
      reportRemote(error, spec, sink);
      return undefined;
    }
  };
}
