// A document of 4 MiB or more: its text is not kept in memory, but read again if
// a finding needs a position.
import { spawnSync } from "node:child_process";
import path from "node:path";
import { expect, test } from "vitest";
import { syntheticDocument } from "../../bench/synthetic.mjs";
import { LARGE_DOCUMENT } from "../../src/generate/generated-document.js";
import { ROOT, temporaryFolder } from "../support/paths.js";
import { apiOf, genProcess, texts, write } from "./support.js";

const finding = /^.*specs\/a\.json:\d+:\d+.*warning/m;

test("a large document has the output and the positions of a small one", () => {
  const document = {
    ...(apiOf("alpha") as object),
    labels: ["unknown_label"],
  };
  const [small, large] = [10, LARGE_DOCUMENT].map((size) => {
    const cwd = temporaryFolder();
    const text = JSON.stringify(document, undefined, 2);
    const filler = `,\n  "x-filler": "${"a".repeat(size)}"\n}`;
    write(cwd, { "specs/a.json": text.replace(/\n\}$/, filler) });
    const { stderr, stdout } = genProcess(["--spec", "specs", "--out", "out"], {
      cwd,
    });
    const { ".gen-manifest.json": _, ...files } = texts(`${cwd}/out`);
    return { files, line: finding.exec(stdout + stderr)?.[0] };
  });
  expect(small!.line).toBeDefined();
  expect(large).toEqual(small);
});

// With 100,000 schemas, garbage in the old generation took 100 MiB and a quarter of
// the processor time.
test("V8 makes no allocation sites allocate in the old generation for a large document", () => {
  const cwd = temporaryFolder();
  write(cwd, { "a.json": syntheticDocument(10_000) });
  const command = [path.join(ROOT, "bin/gen.js"), "--quiet", "--out", "out"];
  const { stdout, status } = spawnSync(
    process.execPath,
    ["--trace-pretenuring-statistics", ...command, "--spec", "a.json"],
    { cwd, encoding: "utf8" },
  );
  expect({ status, tenured: stdout.match(/=> tenure$/gm) }).toEqual({
    status: 0,
    tenured: null,
  });
});
