// A document of 4 MiB or more: its text is not kept in memory, but read again if
// a finding needs a position.
import { expect, test } from "vitest";
import { LARGE_DOCUMENT } from "../../src/generate/generated-document.js";
import { temporaryFolder } from "../support/paths.js";
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
