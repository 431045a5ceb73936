import { mkdirSync } from "node:fs";
import path from "node:path";
import { beforeAll, expect, test } from "vitest";
import { MATRIX, typecheck } from "../compile/typescript.js";
import {
  CORPUS,
  describeCorpus,
  filesBelow,
  generate,
  SAMPLE,
  suiteFolder,
} from "./support.js";

/** Targets that import from others are generated together. */
const TARGETS = "client,validator";

/** The output of all documents compiles under every flag that is promised. */
describeCorpus("compile", () => {
  const folder = suiteFolder();
  const all = path.join(folder, "all");
  const sample = path.join(folder, "sample");

  beforeAll(async () => {
    mkdirSync(all);
    mkdirSync(sample);
    await generate(path.join(all, "out"), undefined, TARGETS);
    await generate(
      path.join(sample, "out"),
      SAMPLE.map((name) => path.join(CORPUS, `${name}.json`)),
      TARGETS,
    );
  }, 120_000);

  test.each(MATRIX)("TypeScript %s, %s", async (compiler, platform) => {
    const where = compiler === "7" ? all : sample;
    const started = performance.now();
    expect(await typecheck(where, compiler, platform, ["out"])).toBe("");
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    const files = filesBelow(path.join(where, "out")).length;
    console.info(
      `TypeScript ${compiler}, ${platform}: ${files} files in ${seconds} s`,
    );
  });

  test("an error in the output is detected", async () => {
    const errors = await typecheck(sample, "7", "DOM", ["out"], {
      lib: ["ES5"],
    });
    expect(errors).toContain("error TS");
  });
});
