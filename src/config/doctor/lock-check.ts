import { existsSync } from "node:fs";
import { Sink } from "../../diagnostics/sink.js";
import { readLock } from "../../remote/lock-file.js";
import { fetchedApis } from "../ensure-documents.js";
import { LOCK_FILE } from "../resolve-jobs.js";
import { error, ok, warning, type Check } from "./check.js";

/**
 * Checks that the lock file is valid and contains all fetched documents. The
 * digests of the documents are not checked here, since each run verifies them.
 */
export const lockCheck: Check = {
  name: "lock",
  run: ({ config: { resolved } }) => {
    if (resolved === undefined) return [];
    const { lockFile, jobs } = resolved;
    const apis = fetchedApis(jobs.flatMap((job) => job.apis));
    if (!existsSync(lockFile))
      return [
        apis.length > 0
          ? warning(
              `${LOCK_FILE} is missing`,
              "Run `gen fetch`, and commit the lock file.",
            )
          : ok("not needed, because no document is fetched"),
      ];
    const sink = new Sink();
    const lock = readLock(lockFile, LOCK_FILE, sink);
    if (lock === undefined)
      return sink.diagnostics.map(({ message, line, column, fix = "" }) =>
        error(`${message} (line ${line ?? 1}, column ${column ?? 1})`, fix),
      );
    const missing = apis.filter(({ id }) => !lock.has(id));
    return missing.length === 0
      ? [ok(LOCK_FILE)]
      : missing.map(({ id }) =>
          warning(`${LOCK_FILE} does not contain ${id}`, "Run `gen fetch`."),
        );
  },
};
