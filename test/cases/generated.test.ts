import { readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { generateEverything } from "../support/generate.js";
import { ROOT } from "../support/paths.js";

const SPECS = readdirSync(path.join(ROOT, "specs")).filter((name) =>
  name.endsWith(".json"),
);

test.each(SPECS)("generated/ has exactly the output of %s", async (name) => {
  const text = readFileSync(path.join(ROOT, "specs", name), "utf8");
  for (const [file, output] of generateEverything(text).files)
    await expect(output, file).toMatchFileSnapshot(
      path.join(ROOT, "generated", file),
    );
});
