import { error, ok, type Check } from "./check.js";

/** Minimum supported version of Node.js, as in package.json. */
const MINIMUM = [20, 19] as const;

/** Checks the version of Node.js. */
export const nodeCheck: Check = {
  name: "node",
  run: () => {
    const { node } = process.versions;
    const [major = 0, minor = 0] = node.split(".").map(Number);
    const isSupported =
      major > MINIMUM[0] || (major === MINIMUM[0] && minor >= MINIMUM[1]);
    const text = `Node.js ${node}`;
    return [
      isSupported
        ? ok(text)
        : error(`${text} is not supported`, "Install Node.js 20.19 or later."),
    ];
  },
};
