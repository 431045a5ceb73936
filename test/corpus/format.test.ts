import { existsSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { node } from "../compile/process.js";
import { ROOT } from "../support/paths.js";
import { describeCorpus, generate, suiteFolder } from "./support.js";

const PRETTIER = path.join(ROOT, "node_modules/prettier/bin/prettier.cjs");

/** Returns the files below a folder that Prettier would change, with default settings. */
async function unformatted(folder: string): Promise<string> {
  const { code, output } = await node(
    [PRETTIER, "--list-different", "--no-config", "**/*.ts"],
    { cwd: folder },
  );
  return code === 0 ? "" : output;
}

/** Generated code has Prettier's format. */
describeCorpus("format", () => {
  const out = suiteFolder();

  test("the output of all documents", async () => {
    await generate(out, undefined, "client,validator");
    expect(await unformatted(out)).toBe("");
  });

  test.skipIf(!existsSync(path.join(ROOT, "generated")))(
    "generated/",
    async () => {
      expect(await unformatted(path.join(ROOT, "generated"))).toBe("");
    },
  );
});
