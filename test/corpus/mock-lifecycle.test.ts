import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { load } from "../../src/generate/api.js";
import { corpusNames } from "../support/paths.js";
import { runLifecycles, type LifecycleResult } from "./lifecycle.js";
import { CORPUS, describeCorpus } from "./support.js";

/** Created resources can be read, listed, changed and deleted. */
describeCorpus("mock-lifecycle", () => {
  test("of at least 97 % of all resources", async () => {
    const results: LifecycleResult[] = [];
    for (const name of corpusNames()) {
      const text = readFileSync(path.join(CORPUS, `${name}.json`), "utf8");
      const { api } = load(text, name);
      for (const result of await runLifecycles(api!))
        results.push({ ...result, name: `${name} ${result.name}` });
    }
    const failed = results.filter(({ cause }) => cause !== undefined);
    const lines = failed.map(({ name, cause }) => `${name}: ${cause}`);
    console.log(
      `${results.length - failed.length} of ${results.length} lifecycles\n${lines.join("\n")}`,
    );
    expect(results.length).toBeGreaterThan(300);
    expect(failed.length / results.length).toBeLessThan(0.03);
  });
});
