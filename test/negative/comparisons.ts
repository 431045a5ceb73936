import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Code } from "../../src/diagnostics/catalogue.js";
import type { Diagnostic } from "../../src/diagnostics/types.js";
import { compareOperands } from "../../src/diff/compare.js";
import { lockedNames, type FindProject } from "../../src/diff/lock-operands.js";
import { IgnoreList } from "../../src/diff/ignore.js";
import { apiOf } from "../cli/support.js";
import { temporaryFolder } from "../support/paths.js";

/** Compares a folder with one document with itself. */
async function compare(
  old: string,
  ignore?: IgnoreList,
): Promise<readonly Diagnostic[]> {
  const cwd = temporaryFolder();
  mkdirSync(path.join(cwd, "specs"));
  writeFileSync(
    path.join(cwd, "specs/demo.json"),
    JSON.stringify(apiOf("demo")),
  );
  const findProject: FindProject = () =>
    Promise.resolve({
      lockFile: "gen.lock.json",
      specs: "specs",
      fileOf: () => "specs/none.json",
    });
  const resolvers = [lockedNames(findProject)];
  const options = { cwd, ignore, resolvers };
  const { diagnostics } = await compareOperands(old, "specs", options);
  return diagnostics;
}

/** Reproductions of the codes about comparisons of documents. */
export const comparisons: Partial<
  Record<Code, () => Promise<readonly Diagnostic[]>>
> = {
  "diff-document": () => compare("drive:v9"),
  "diff-git": () => compare("git:main:specs"),
  "diff-ignore-invalid": () => compare("specs", new IgnoreList("x", "list")),
  "diff-ignore-unused": () =>
    compare("specs", new IgnoreList("0123456789abcdef", "list")),
};
