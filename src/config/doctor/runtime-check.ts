import { version } from "#built/runtime.js";
import { error, installedVersion, ok, type Check } from "./check.js";

/** Package that output imports with `--runtime package`. */
const PACKAGE = "discovery-codegen-runtime";

/**
 * Checks that the package of the runtime is installed in the version of the
 * generator, if a job generates output that imports it.
 */
export const runtimeCheck: Check = {
  name: "runtime",
  run: ({ cwd, config: { resolved } }) => {
    const jobs = resolved?.jobs ?? [];
    if (jobs.length === 0) return [];
    if (!jobs.some(({ options }) => options.runtime === "package"))
      return [ok("copied into the output")];
    const installed = installedVersion(PACKAGE, cwd);
    if (installed === version) return [ok(`${PACKAGE} ${installed}`)];
    return [
      error(
        installed === undefined
          ? `${PACKAGE} is not installed, but the output imports it`
          : `${PACKAGE} ${installed} is installed; expected the version of the generator, ${version}`,
        `Run \`npm install ${PACKAGE}@${version}\`.`,
      ),
    ];
  },
};
