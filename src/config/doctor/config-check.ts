import path from "node:path";
import { formatCount } from "../../diagnostics/format-count.js";
import { error, ok, type Check } from "./check.js";

/** Checks that the config exists and is valid. */
export const configCheck: Check = {
  name: "config",
  run: ({ cwd, config: { diagnostics, file, resolved } }) => {
    if (resolved === undefined)
      return diagnostics.map((finding) => {
        const { file: name, line, column = 1, message, fix = "" } = finding;
        const at = line === undefined ? "" : `${name}:${line}:${column}: `;
        return error(`${at}${message}`, fix);
      });
    const apis = new Set(
      resolved.jobs.flatMap((job) => job.apis.map(({ id }) => id)),
    );
    const name = file === undefined ? "config" : path.relative(cwd, file);
    const count = formatCount(apis.size, "API");
    const jobs = formatCount(resolved.jobs.length, "job");
    return [ok(`${name}: ${count} in ${jobs}`)];
  },
};
