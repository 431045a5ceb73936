import { installedVersion, ok, warning, type Check } from "./check.js";

/** Minimum supported version of TypeScript. */
const MINIMUM = [5, 9] as const;

/** Checks that the project's TypeScript version can compile the output. */
export const typescriptCheck: Check = {
  name: "typescript",
  run: ({ cwd }) => {
    const version = installedVersion("typescript", cwd);
    if (version === undefined)
      return [
        warning(
          "TypeScript is not installed in this project",
          "Run `npm install --save-dev typescript`, if this project compiles the output.",
        ),
      ];
    const [major = 0, minor = 0] = version.split(".").map(Number);
    const isSupported =
      major > MINIMUM[0] || (major === MINIMUM[0] && minor >= MINIMUM[1]);
    return [
      isSupported
        ? ok(`TypeScript ${version}`)
        : warning(
            `TypeScript ${version} is not supported`,
            "Install TypeScript 5.9 or later.",
          ),
    ];
  },
};
