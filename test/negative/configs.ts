import { expect } from "vitest";
import type { Code } from "../../src/diagnostics/catalogue.js";
import { Sink } from "../../src/diagnostics/sink.js";
import type { Diagnostic } from "../../src/index.js";
import { runConfig } from "../../src/index.js";
import { initProject } from "../../src/config/init/init-project.js";
import { write } from "../cli/support.js";
import { temporaryFolder } from "../support/paths.js";

/** Runs the config of a folder with some files; returns all findings. */
const run =
  (files: Readonly<Record<string, string | object>>, api?: string[]) =>
  async (): Promise<readonly Diagnostic[]> => {
    const cwd = temporaryFolder();
    write(cwd, files);
    const result = await runConfig({ cwd, ...(api ? { api } : {}) });
    expect(result.files).toEqual([]);
    return result.diagnostics;
  };

const yaml = (text: string): ReturnType<typeof run> =>
  run({ "gen.config.yaml": text });

/** Reproductions of the codes that are about a config file. */
export const configs: Partial<
  Record<Code, () => Promise<readonly Diagnostic[]>>
> = {
  "config-missing": run({}),
  "config-ambiguous": run({ "gen.config.yaml": "", "gen.config.json": "" }),
  "config-file": yaml("out: ["),
  "config-key": yaml("outt: gen\napis: {}"),
  "config-value": yaml("out: 1\napis: {}"),
  "config-empty": yaml("out: gen\napis: {}"),
  "config-out": yaml("apis: { a:b: {} }"),
  "config-api": run(
    { "gen.config.json": { out: "gen", apis: { "a:b": {} } } },
    ["c:d"],
  ),
  "init-exists": () => init({ "gen.config.yml": "" }),
  "init-script": () => init({ "package.json": "{" }),
};

async function init(
  files: Readonly<Record<string, string>>,
): Promise<readonly Diagnostic[]> {
  const cwd = temporaryFolder();
  const sink = new Sink();
  write(cwd, files);
  const settings = {
    api: [],
    out: "gen",
    target: ["client"],
    format: "json" as const,
    form: {},
    trustProse: false,
    script: true,
  };
  await initProject(settings, { cwd, force: false }, sink);
  return sink.diagnostics;
}
