import { execFileSync } from "node:child_process";
import { renameSync, rmSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { write } from "../../cli/support.js";
import { ROOT, temporaryFolder } from "../../support/paths.js";

/** Returns the hash of the inputs of a build in a folder. */
function hashOf(folder: string): string {
  const script = pathToFileURL(path.join(ROOT, "scripts/build-inputs.mjs"));
  const code = `import { hashInputs } from ${JSON.stringify(script.href)};
    process.stdout.write(hashInputs(process.argv[1]));`;
  const args = ["--input-type=module", "-e", code, folder];
  return execFileSync(process.execPath, args, { encoding: "utf8" });
}

test("a build is repeated when an input was changed, renamed, added or removed, or a package was installed", () => {
  const folder = temporaryFolder();
  const hashes: string[] = [];
  const record = (): number => hashes.push(hashOf(folder));
  write(folder, { "src/a.ts": "1", "src/b/c.ts": "2", "package.json": "{}" });
  record();
  write(folder, { "test/a.test.ts": "not an input" });
  expect(hashOf(folder)).toBe(hashes[0]);
  write(folder, { "src/b/c.ts": "3" });
  record();
  renameSync(path.join(folder, "src/b/c.ts"), path.join(folder, "src/b/d.ts"));
  record();
  write(folder, { "templates/t.hbs": "" });
  record();
  rmSync(path.join(folder, "src/a.ts"));
  record();
  write(folder, { "node_modules/.package-lock.json": "{}" });
  record();
  expect(new Set(hashes).size).toBe(hashes.length);
});
