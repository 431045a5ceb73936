import { existsSync } from "node:fs";
import { isObject } from "../../diagnostics/json.js";
import { readFileLimited } from "../../platform/read-limited.js";
import { fetchedApis } from "../ensure-documents.js";
import { LOCK_FILE } from "../resolve-jobs.js";
import { error, ok, warning, type Check } from "./check.js";

/** Checks that the lock file of fetched documents exists and can be read. */
export const lockCheck: Check = {
  name: "lock",
  run: ({ config: { resolved } }) => {
    if (resolved === undefined) return [];
    const { lockFile, jobs } = resolved;
    const isNeeded = fetchedApis(jobs.flatMap(({ apis }) => apis)).length > 0;
    if (!existsSync(lockFile))
      return [
        isNeeded
          ? warning(
              `${LOCK_FILE} is missing`,
              "Run `gen fetch`, and commit it.",
            )
          : ok("not needed, because no document is fetched"),
      ];
    try {
      const value = JSON.parse(readFileLimited(lockFile).toString()) as unknown;
      if (!isObject(value)) throw new Error("it must contain an object");
      return [ok(LOCK_FILE)];
    } catch (failure) {
      const { message } = failure as Error;
      return [
        error(
          `${LOCK_FILE} can't be read: ${message}`,
          "Restore the file from version control, or delete it and run `gen fetch`.",
        ),
      ];
    }
  },
};
