import { expect, test } from "vitest";
import { validateSources } from "../../../src/generate/validate-sources.js";
import { ROOT } from "../../support/paths.js";

test("the descriptions of this project have no findings", async () => {
  const { documents, diagnostics } = await validateSources(["specs"], {
    cwd: ROOT,
  });
  expect(documents).toBe(6);
  expect(diagnostics).toEqual([]);
});
