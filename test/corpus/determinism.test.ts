import { cpSync, readFileSync } from "node:fs";
import { spawn } from "node:child_process";
import path from "node:path";
import { expect, test } from "vitest";
import { serialise } from "../support/every-target.js";
import { corpusNames } from "../support/paths.js";
import { shuffled } from "../support/shuffled.js";
import {
  CORPUS,
  GEN,
  describeCorpus,
  suiteFolder,
  treeHash,
  treeHashes,
} from "./support.js";

/** Environment of a run. */
interface Machine {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly umask: string;
  readonly specs: readonly string[];
}

/** Runs the command line in a different environment. */
function generateOn({ cwd, env, umask, specs }: Machine): Promise<void> {
  const args = [
    ...specs.flatMap((spec) => ["--spec", spec]),
    "--out",
    "out",
    "--target",
    "client,validator",
    "--quiet",
  ];
  const child = spawn(
    "sh",
    ["-c", `umask ${umask}; exec "$0" "$@"`, process.execPath, GEN, ...args],
    {
      cwd,
      env: { PATH: process.env["PATH"], HOME: cwd, ...env },
      stdio: ["ignore", "inherit", "inherit"],
    },
  );
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("exit", (code) =>
      code === 0 ? resolve() : reject(new Error(`exit code ${code}`)),
    );
  });
}

/** Output depends on the documents only, not on the environment. */
describeCorpus("determinism", () => {
  const folder = suiteFolder();

  test("two machines write the same bytes", async () => {
    const here = path.join(folder, "here");
    const there = path.join(folder, "some where", "else");
    for (const cwd of [here, there]) {
      cpSync(CORPUS, path.join(cwd, "documents"), { recursive: true });
    }
    const specs = corpusNames().map((name) => `documents/${name}.json`);
    await generateOn({
      cwd: here,
      env: { TZ: "Pacific/Kiritimati", LANG: "C", LC_ALL: "C" },
      umask: "022",
      specs,
    });
    await generateOn({
      cwd: there,
      env: {
        TZ: "America/St_Johns",
        LANG: "tr_TR.UTF-8",
        LC_ALL: "tr_TR.UTF-8",
        NO_COLOR: "1",
      },
      umask: "077",
      specs: [...specs].reverse(),
    });
    const first = treeHashes(path.join(here, "out"));
    const second = treeHashes(path.join(there, "out"));
    expect(second).toEqual(first);
    console.info(
      `${Object.keys(first).length} files, tree hash ${treeHash(first).slice(0, 16)}`,
    );
  });

  test.each(corpusNames())(
    "%s gives the same whatever the order of its keys",
    (name) => {
      const text = readFileSync(path.join(CORPUS, `${name}.json`), "utf8");
      const document: unknown = JSON.parse(text);
      const output = serialise(document);
      for (const seed of [1, 2, 3])
        expect(serialise(shuffled(document, seed))).toEqual(output);
    },
  );
});
