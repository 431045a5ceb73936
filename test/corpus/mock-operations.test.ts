import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { load } from "../../src/generate/api.js";
import { corpusNames } from "../support/paths.js";
import { runOperations } from "./operations.js";
import { CORPUS, describeCorpus } from "./support.js";

/**
 * Operations can be fetched by their own names, are complete, and have no
 * errors, also in a mock that contains nothing else.
 */
describeCorpus("mock-operations", () => {
  test("can be fetched by name", async () => {
    const failed: string[] = [];
    let total = 0;
    for (const name of corpusNames()) {
      const text = readFileSync(path.join(CORPUS, `${name}.json`), "utf8");
      const { count, failures } = await runOperations(load(text, name).api!);
      total += count;
      failed.push(...failures.map((failure) => `${name} ${failure}`));
    }
    console.log(
      `${total - failed.length} of ${total} operations\n${failed.join("\n")}`,
    );
    expect(total).toBeGreaterThan(200);
    expect(failed.length).toBeLessThan(total * 0.01);
  });
});
