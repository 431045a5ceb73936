import { formatCount } from "../../diagnostics/format-count.js";
import { listSources } from "../../load/sources.js";
import { error, ok, warning, type Check } from "./check.js";

/** Checks that the documents of all APIs exist. */
export const documentsCheck: Check = {
  name: "documents",
  run: async ({ cwd, config: { resolved } }) => {
    if (resolved === undefined) return [];
    const apis = resolved.jobs.flatMap((job) => job.apis);
    const files = [...new Set(apis.map(({ file }) => file))];
    const { sources, diagnostics } = await listSources(files, cwd);
    const missing = diagnostics.map(({ file, message }) => {
      const api = apis.find((candidate) => candidate.file === file);
      return api?.isFetched === true
        ? warning(`${message} (document of ${api.id})`, "Run `gen fetch`.")
        : error(message, "Correct `source` in the config.");
    });
    if (missing.length > 0) return missing;
    return [ok(formatCount(sources.length, "document"))];
  },
};
