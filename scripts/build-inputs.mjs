// Hash of everything that a build reads. scripts/build.mjs stores it beside its
// output; scripts/build-if-changed.mjs compares it.
import { createHash } from "node:crypto";
import { existsSync, readFileSync, readdirSync, statSync } from "node:fs";
import path from "node:path";

/** File below the root with the hash of the inputs of the last build; not shipped. */
export const RECORD = "dist/built/inputs.txt";

/** Files and folders below the root; npm writes the last one on each installation. */
const INPUTS = [
  "src",
  "templates",
  "scripts",
  "generated/overrides/v1.3/rules.ts",
  "specs/overrides.v1.3.json",
  "package.json",
  "package-lock.json",
  "tsconfig.json",
  "tsconfig.build.json",
  "tsconfig.runtime.json",
  "docs/runtime-package.md",
  "LICENSE",
  "node_modules/.package-lock.json",
];

/** Returns the hash of the names and bytes of all inputs. */
export function hashInputs(root) {
  const hash = createHash("sha256");
  for (const input of INPUTS)
    for (const name of filesOf(root, input))
      hash.update(`\0${name}\0`).update(readFileSync(path.join(root, name)));
  return hash.digest("hex");
}

function filesOf(root, input) {
  const file = path.join(root, input);
  if (!existsSync(file)) return [];
  if (statSync(file).isFile()) return [input];
  return readdirSync(file, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      path.relative(root, path.join(entry.parentPath, entry.name)),
    )
    .sort();
}
