import { readFileSync, statSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../support/paths.js";

/** Returns the files that loading a file of dist/ loads. */
function loaded(file: string, found = new Set<string>()): Set<string> {
  if (found.has(file)) return found;
  found.add(file);
  const text = readFileSync(file, "utf8");
  for (const [, before, name] of text.matchAll(
    /(\)=>)?\brequire\("(\.[^"]+)"\)/g,
  ))
    if (before === undefined)
      loaded(path.resolve(path.dirname(file), name!), found);
  return found;
}

/** Returns the chunks that a start loads. */
function chunksOf(name: string): string[] {
  return [...loaded(path.join(ROOT, `dist/chunks/${name}.cjs`))];
}

// Each module costs about half a millisecond. Without the plugin of the build that
// joins chunks, a start loads more than thirty.
test.each([
  ["cli", 2],
  ["worker", 3],
])("%s loads %d chunks, of limited size", (name, count) => {
  const files = chunksOf(name);
  expect(files).toHaveLength(count);
  const bytes = files.reduce((sum, file) => sum + statSync(file).size, 0);
  expect(bytes).toBeGreaterThan(300_000);
  expect(bytes).toBeLessThan(540_000);
});

// Rendering by Handlebars took a seventh of the time of generation.
test.each(["cli", "worker"])("%s does not load Handlebars", (name) => {
  for (const file of chunksOf(name))
    expect(readFileSync(file, "utf8")).not.toContain("registerPartial");
});
