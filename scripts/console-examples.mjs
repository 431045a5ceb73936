// Runs the commands of console examples in Markdown pages.
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";

/**
 * Returns the page with the current output of `$ gen …` in its console blocks.
 * Each command runs in a copy of the folder with the example files.
 */
export function runConsoleExamples(page, { root, files }) {
  return page.replace(
    /^```console\n\$ gen (.*)\n[^]*?^```/gm,
    (_, command) => `\`\`\`console\n$ gen ${command}\n${run(command)}\`\`\``,
  );

  function run(command) {
    const cwd = mkdtempSync(path.join(os.tmpdir(), "gen-example-"));
    try {
      cpSync(files, cwd, { recursive: true });
      const args = [path.join(root, "bin/gen.js"), ...command.split(" ")];
      const env = { PATH: process.env.PATH, XDG_CACHE_HOME: cwd };
      const { stdout, stderr } = spawnSync(process.execPath, args, {
        cwd,
        env,
        encoding: "utf8",
      });
      return stdout === "" ? stderr : stdout;
    } finally {
      rmSync(cwd, { recursive: true, force: true });
    }
  }
}
