import { describe, test } from "vitest";
import { corpusNames } from "../../support/paths.js";

/**
 * A suite that needs the shared documents, and maybe more; where something is
 * missing it says so and is skipped. What CI must have is not missed silently
 * there: `CI=true` makes it a failure.
 *
 * @param missing what this machine lacks, if anything.
 */
export function describeOfficial(
  name: string,
  missing: string | undefined,
  suite: () => void,
): void {
  if (corpusNames().length === 0) {
    describe.skip(name, () => test("needs the shared documents", () => {}));
    console.info(`${name}: skipped, ../shared/corpus is not there`);
  } else if (missing === undefined) describe(name, suite);
  else if (process.env["CI"] === "true")
    test(name, () => {
      throw new Error(`${missing} is needed in CI`);
    });
  else {
    describe.skip(name, () => test(`needs ${missing}`, () => {}));
    console.info(`${name}: skipped, ${missing} is not there`);
  }
}
