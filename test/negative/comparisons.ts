import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Code } from "../../src/diagnostics/catalogue.js";
import type { Diagnostic } from "../../src/diagnostics/types.js";
import {
  compareInputs,
  compareOperands,
  type ComparedDocument,
} from "../../src/diff/compare.js";
import { lockedNames, type FindProject } from "../../src/diff/lock-operands.js";
import { IgnoreList } from "../../src/diff/ignore.js";
import { DiffPolicy } from "../../src/diff/policy.js";
import { sideOf } from "../../src/diff/side.js";
import { addUses, analyseCode } from "../../src/diff/uses/index.js";
import type { RawDocument } from "../../src/load/raw.js";
import { Sink } from "../../src/diagnostics/sink.js";
import { apiOf } from "../cli/support.js";
import { temporaryFolder } from "../support/paths.js";

/** Policy with an accepted change that no document has. */
function accepting(until: string): DiffPolicy {
  const entry = { api: "demo:v1", rule: "method-removed", at: "demo.get" };
  return new DiffPolicy(
    { accept: [{ ...entry, reason: "replaced", until }] },
    { file: "gen.config.json" },
  );
}

/** Compares a folder with one document with itself. */
async function compare(
  old: string,
  ignore?: IgnoreList,
  policy?: DiffPolicy,
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
  const options = { cwd, ignore, policy, resolvers };
  const { diagnostics } = await compareOperands(old, "specs", options);
  return diagnostics;
}

/** Determines what a file uses of a document. */
async function uses(pattern: string): Promise<readonly Diagnostic[]> {
  const cwd = temporaryFolder();
  writeFileSync(path.join(cwd, "code.ts"), "export const one = 1;");
  const document = apiOf("demo") as unknown as RawDocument;
  const sink = new Sink();
  const code = { cwd, patterns: [pattern], outputs: [] };
  await analyseCode([sideOf(document, false)], code, sink);
  return sink.diagnostics;
}

/** Determines the uses of a change that the policy omits. */
async function unexplained(): Promise<readonly Diagnostic[]> {
  const cwd = temporaryFolder();
  const client = "./out/demo/v1/index.js";
  writeFileSync(
    path.join(cwd, "code.ts"),
    `import { createDemo } from "${client}"; await createDemo().things.get();`,
  );
  const input = (document: object): ComparedDocument => ({
    file: "demo.json",
    text: JSON.stringify(document),
    document: document as RawDocument,
  });
  const old = apiOf("demo");
  const { others } = old["resources"] as Record<string, object>;
  const now = { ...old, title: "Demo", resources: { others } };
  const policy = new DiffPolicy({ rules: { "method-removed": "none" } });
  const sink = new Sink();
  await addUses(
    [compareInputs(input(old), input(now), { policy })],
    { cwd, patterns: ["*.ts"], outputs: [{ api: "demo:v1", out: "out" }] },
    sink,
  );
  return sink.diagnostics;
}

/** Reproductions of the codes about comparisons of documents. */
export const comparisons: Partial<
  Record<Code, () => Promise<readonly Diagnostic[]>>
> = {
  "diff-accept-expired": () =>
    compare("specs", undefined, accepting("2020-01-31")),
  "diff-accept-unused": () =>
    compare("specs", undefined, accepting("2999-01-31")),
  "diff-document": () => compare("drive:v9"),
  "diff-git": () => compare("git:main:specs"),
  "diff-ignore-invalid": () => compare("specs", new IgnoreList("x", "list")),
  "diff-ignore-unused": () =>
    compare("specs", new IgnoreList("0123456789abcdef", "list")),
  "uses-no-files": () => uses("src/**"),
  "uses-nothing": () => uses("*.ts"),
  "uses-unexplained": unexplained,
};
