import { loadUserExtensions } from "../../generate/settings.js";
import type { Job } from "../job.js";
import { error, ok, type Check, type CheckResult } from "./check.js";

/** Checks that the templates of the jobs compile. */
export const templatesCheck: Check = {
  name: "templates",
  run: ({ cwd, config: { resolved } }) =>
    forJobs(resolved?.jobs, "templates", ({ out, options: { templates } }) =>
      templates === undefined
        ? undefined
        : { cwd, out, templates, formatter: "none" as const },
    ),
};

/**
 * Checks that the formatter of the jobs is installed and that its settings are
 * valid.
 */
export const formatterCheck: Check = {
  name: "formatter",
  run: ({ cwd, config: { resolved } }) =>
    forJobs(resolved?.jobs, "formatter", ({ out, options: { formatter } }) =>
      formatter === "none" ? undefined : { cwd, out, formatter },
    ),
};

type ExtensionSettings = Parameters<typeof loadUserExtensions>[0];

/**
 * Loads the templates or the formatter of each job that uses them, and returns
 * the errors.
 */
async function forJobs(
  jobs: readonly Job[] = [],
  name: "templates" | "formatter",
  settingsOf: (job: Job) => ExtensionSettings | undefined,
): Promise<CheckResult[]> {
  const used = jobs.flatMap((job) => settingsOf(job) ?? []);
  const results: CheckResult[] = [];
  for (const settings of used) {
    const { diagnostics } = await loadUserExtensions(settings);
    for (const { message, fix = "" } of diagnostics)
      results.push(error(message, fix));
    if (diagnostics.length === 0) results.push(ok(settings[name] ?? ""));
  }
  return jobs.length > 0 && used.length === 0 ? [ok("not used")] : results;
}
