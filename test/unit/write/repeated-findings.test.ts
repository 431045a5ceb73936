import path from "node:path";
import { describe, expect, test } from "vitest";
import { check, generate, type GenerateOptions } from "../../../src/index.js";
import { runGeneration, sameSettings } from "../../../src/generate/settings.js";
import { description } from "../../support/generate.js";
import { temporaryFolder } from "../../support/paths.js";
import { write } from "../../cli/support.js";

/** A document with two findings: an unknown format, an unknown reference. */
const document = description({
  schemas: {
    Thing: {
      id: "Thing",
      type: "object",
      properties: {
        size: { type: "string", format: "furlong" },
        owner: { $ref: "Nobody" },
      },
    },
  },
});

function project() {
  const cwd = temporaryFolder();
  write(cwd, { "specs/demo.json": document });
  const run = async (
    mode = generate,
    more: Partial<GenerateOptions> = {},
  ): Promise<readonly unknown[]> => {
    const options = { spec: "specs/demo.json", out: "out", cwd, ...more };
    return (await mode(options)).diagnostics;
  };
  const cold = (locateInfo: boolean) =>
    runGeneration({
      specs: sameSettings(["specs/demo.json"], {
        target: ["client"],
        trustProse: false,
      }),
      out: "out",
      mode: "write",
      force: false,
      prune: false,
      importSuffix: "js",
      runtime: "copy",
      tsNocheck: "none",
      formatter: "none",
      cwd,
      locateInfo,
    });
  return { cwd, run, cold };
}

describe("findings of a run that renders nothing", () => {
  test("equal those of the run that rendered, with positions", async () => {
    const { run } = project();
    const first = await run();
    expect(first).toHaveLength(2);
    expect(first).toMatchObject([
      { file: "specs/demo.json", line: expect.any(Number) },
      { file: "specs/demo.json", line: expect.any(Number) },
    ]);
    expect(await run()).toEqual(first);
    expect(await run(check)).toEqual(first);
  });

  test("name the document as this run does", async () => {
    const { cwd, run } = project();
    await run();
    const name = path.join(cwd, "specs/demo.json");
    const found = await run(generate, { spec: name });
    expect(found).toMatchObject([{ file: name }, { file: name }]);
  });

  test("have positions of infos only if the run needs them", async () => {
    const { cold, run } = project();
    const { diagnostics } = await cold(false);
    const infos = diagnostics.filter(({ severity }) => severity === "info");
    expect(infos.length).toBeGreaterThan(0);
    for (const info of infos) expect(info.line).toBeUndefined();
    expect((await cold(false)).diagnostics).toEqual(diagnostics);
    const located = await run();
    for (const finding of located)
      expect(finding).toMatchObject({ line: expect.any(Number) });
  });
});
