import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, expect, it } from "vitest";
import { COMPILERS } from "../../compile/typescript.js";
import { compilerCommand } from "../../support/compiler.js";

const folder = mkdtempSync(join(tmpdir(), "runtime-"));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const strict = {
  target: "ES2022",
  module: "NodeNext",
  moduleResolution: "NodeNext",
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noPropertyAccessFromIndexSignature: true,
  noUnusedLocals: true,
  noUnusedParameters: true,
  noImplicitReturns: true,
  noImplicitOverride: true,
  noFallthroughCasesInSwitch: true,
  verbatimModuleSyntax: true,
  isolatedDeclarations: true,
  declaration: true,
  erasableSyntaxOnly: true,
  skipLibCheck: false,
  noEmit: true,
};

const platforms = {
  browser: { lib: ["ES2022", "DOM"], types: [] },
  node: {
    lib: ["ES2022"],
    types: ["node"],
    typeRoots: [resolve("node_modules/@types")],
  },
};

const cases = Object.values(COMPILERS).flatMap((compiler) =>
  Object.entries(platforms).map(
    ([platform, options]) => [compiler, platform, options] as const,
  ),
);

it.each(cases)("compiles with %s for %s", (compiler, platform, options) => {
  const config = join(folder, `${compiler}-${platform}.json`);
  writeFileSync(
    config,
    JSON.stringify({
      compilerOptions: { ...strict, ...options },
      include: [resolve("src/runtime")],
    }),
  );
  const { program, args, env } = compilerCommand(compiler, config);
  const { stdout, stderr, status } = spawnSync(program, args, {
    encoding: "utf8",
    env,
  });
  expect(stdout + stderr).toBe("");
  expect(status).toBe(0);
});
