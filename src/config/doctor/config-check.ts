import path from "node:path";
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
    const count = `${apis.size} API${apis.size === 1 ? "" : "s"}`;
    const jobs = `${resolved.jobs.length} job${resolved.jobs.length === 1 ? "" : "s"}`;
    return [ok(`${name}: ${count} in ${jobs}`)];
  },
};
