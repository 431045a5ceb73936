import path from "node:path";
import type { Reporter, TestModule } from "vitest/node";
import { ROOT } from "./paths.js";

/** Prints, as the last lines of a run, which tests were skipped and why. */
export default class SummaryReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const lines = modules.flatMap((module) => skippedIn(module));
    if (lines.length > 0)
      console.log(`Skipped:\n${lines.map((line) => `  ${line}`).join("\n")}`);
  }
}

/** Returns a line for each reason for which tests of a file were skipped. */
function skippedIn(module: TestModule): string[] {
  const file = path.relative(ROOT, module.moduleId);
  const counts = new Map<string, number>();
  for (const test of module.children.allTests("skipped")) {
    const result = test.result();
    const note = result.state === "skipped" ? result.note : undefined;
    const reason = note ?? test.fullName;
    counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  return [...counts].map(
    ([reason, count]) =>
      `${file}: ${count} test${count === 1 ? "" : "s"} (${reason})`,
  );
}
