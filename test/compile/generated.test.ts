import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ROOT } from "../support/paths.js";
import { gen } from "../cli/support.js";
import { BAD, GOOD, program } from "./library.js";
import { MATRIX, typecheck } from "./typescript.js";

/**
 * Type-checks the clients in generated/, that of a small description with
 * further features, and programs that use them, with every compiler and
 * platform. Each intended mistake in the programs must be an error.
 */
describe("generated clients", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "gen-compile-"));
  const programs = path.join(folder, "test/compile/consumers");
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  beforeAll(() => {
    const committed = path.join(ROOT, "generated");
    const out = path.join(folder, "generated");
    if (existsSync(committed)) cpSync(committed, out, { recursive: true });
    else generate(path.join(ROOT, "specs"), out);
    cpSync(path.join(ROOT, "test/compile/consumers"), programs, {
      recursive: true,
    });
    mkdirSync(path.join(folder, "library/programs"), { recursive: true });
    generate(
      path.join(ROOT, "test/compile/library.v1.json"),
      path.join(folder, "library/generated"),
    );
    writeFileSync(path.join(folder, "library/programs/library.ts"), program());
  }, 120_000);

  test.each(MATRIX)("TypeScript %s, %s", async (compiler, platform) => {
    expect(
      await typecheck(folder, compiler, platform, [
        "generated",
        "library",
        "test",
      ]),
    ).toBe("");
  });

  test("every mistake is a separate error", async () => {
    const text = program().replaceAll("// @ts-expect-error", "// that is,");
    writeFileSync(path.join(folder, "library/programs/library.ts"), text);
    const errors = await typecheck(folder, "7", "DOM", ["library"]);
    const lines = new Set(errors.match(/library\.ts\(\d+/g));
    expect(lines.size).toBe(BAD.length);
    expect(GOOD.length).toBeGreaterThan(10);
  });
});

function generate(spec: string, out: string): void {
  const { status, stderr } = gen(["--spec", spec, "--out", out, "--quiet"]);
  if (status !== 0) throw new Error(stderr);
}
