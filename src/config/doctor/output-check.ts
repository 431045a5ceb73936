import path from "node:path";
import { formatCount } from "../../diagnostics/format-count.js";
import { isIntact } from "../../write/existing-files.js";
import { readManifest } from "../../write/manifest.js";
import type { Job } from "../job.js";
import { ok, warning, type Check, type CheckResult } from "./check.js";

/**
 * Checks that each output folder contains all files of its manifest, and that
 * the files are unmodified.
 */
export const outputCheck: Check = {
  name: "output",
  run: ({ cwd, config: { resolved } }) =>
    (resolved?.jobs ?? []).map((job) => checkOutput(job, cwd)),
};

function checkOutput({ out }: Job, cwd: string): CheckResult {
  const folder = path.resolve(cwd, out);
  try {
    const manifest = readManifest(folder);
    if (manifest === undefined)
      return warning(`the manifest in ${out} is damaged`, "Run `gen`.");
    const groups = Object.entries(manifest.groups);
    if (groups.length === 0)
      return warning(`${out} contains no generated files`, "Run `gen`.");
    const changed = groups
      .filter(([name, { files }]) => !isIntact(`${name}`, files, folder))
      .map(([name]) => name);
    return changed.length === 0
      ? ok(`${out}: all files are unchanged since they were generated`)
      : warning(
          `${out}: files were changed or are missing in ${changed.slice(0, 5).join(", ")}${changed.length > 5 ? ` and ${formatCount(changed.length - 5, "more folder")}` : ""}`,
          "Run `gen` to restore the files.",
        );
  } catch (failure) {
    const { message } = failure as Error;
    return warning(`${out} can't be read: ${message}`, "Check permissions.");
  }
}
