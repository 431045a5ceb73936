import { readFileSync } from "node:fs";
import path from "node:path";
import { transform } from "esbuild";
import { beforeAll, expect, test } from "vitest";
import { gen, tree } from "../cli/support.js";
import { suiteFolder } from "../corpus/support.js";
import { ROOT } from "../support/paths.js";
import { MATRIX, typecheck } from "./typescript.js";

const folder = suiteFolder();

/** Returns the paths of files below a folder. */
function filesOf(name: string, suffix: string): string[] {
  const entries = [...tree(path.join(folder, name))];
  return entries.flatMap(([file, { kind }]) =>
    kind === "file" && file.endsWith(suffix) ? [file] : [],
  );
}

const read = (name: string): string =>
  readFileSync(path.join(folder, name), "utf8");

/** The package's own descriptions, whose TypeScript output the services use. */
beforeAll(() => {
  for (const emit of ["ts", "js"]) {
    const args = ["--spec", "specs", "--out", path.join(folder, emit)];
    const targets = "client,validator,server,conformance";
    const options = ["--target", targets, "--emit", emit];
    expect(gen([...args, ...options], { cwd: ROOT }).status).toBe(0);
  }
});

test("JavaScript output is the TypeScript output without its types", async () => {
  const modules = filesOf("ts", ".ts");
  expect(modules.length).toBeGreaterThan(200);
  const options = { target: "es2022", minifyWhitespace: true } as const;
  const tsconfigRaw = { compilerOptions: { verbatimModuleSyntax: true } };
  for (const file of modules) {
    const name = file.replace(/\.ts$/, ".js");
    const [expected, actual] = await Promise.all([
      transform(read(`ts/${file}`), { ...options, loader: "ts", tsconfigRaw }),
      transform(read(`js/${name}`), options),
    ]);
    // The compiler omits `export {}`, which marks modules without values.
    const bare = (code: string): string => code.replace(/^export\{\};\n/, "");
    expect(bare(actual.code), file).toBe(bare(expected.code));
  }
});

test.each(MATRIX)(
  "declarations compile with TypeScript %s, %s",
  async (compiler, platform) => {
    const flags = { declaration: false, isolatedDeclarations: false };
    const include = ["js/**/*.d.ts"];
    expect(await typecheck(folder, compiler, platform, include, flags)).toBe(
      "",
    );
  },
);
