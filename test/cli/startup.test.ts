import { readFileSync, statSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../support/paths.js";

/** Returns the files that importing a file of dist/ loads. */
function loaded(file: string, found = new Set<string>()): Set<string> {
  if (found.has(file)) return found;
  found.add(file);
  const text = readFileSync(file, "utf8");
  for (const [, name] of text.matchAll(
    /(?:^|[;}\n])(?:import|export)(?:[^;"'()]*?from)?"(\.[^"]+)"/g,
  ))
    loaded(path.resolve(path.dirname(file), name!), found);
  return found;
}

// Each module costs about half a millisecond. Without the plugin of the build that
// joins chunks, a start loads more than thirty.
test.each(["cli", "worker"])(
  "%s.js loads few files, of limited size",
  (name) => {
    const files = [...loaded(path.join(ROOT, `dist/${name}.js`))];
    expect(files.length).toBeGreaterThan(2);
    expect(files.length).toBeLessThanOrEqual(9);
    const bytes = files.reduce((sum, file) => sum + statSync(file).size, 0);
    expect(bytes).toBeLessThan(650_000);
  },
);

test("no module of Node.js is imported in the form that evaluates all its members", () => {
  for (const file of loaded(path.join(ROOT, "dist/cli.js")))
    expect(readFileSync(file, "utf8")).not.toMatch(/from"(?:node:)?crypto"/);
});

// Rendering by Handlebars took a seventh of the time of generation.
test.each(["cli", "worker"])("%s.js does not load Handlebars", (name) => {
  for (const file of loaded(path.join(ROOT, `dist/${name}.js`)))
    expect(readFileSync(file, "utf8")).not.toContain("registerPartial");
});
