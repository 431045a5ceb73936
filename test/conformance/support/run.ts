import { mkdirSync, readdirSync } from "node:fs";
import { availableParallelism } from "node:os";
import path from "node:path";
import { build } from "esbuild";
import { node } from "../../compile/process.js";
import { ROOT } from "../../support/paths.js";

/** Difference as printed by the driver. */
export interface Told {
  readonly method: string;
  readonly transport: string;
  readonly step: string;
  readonly pointer: string;
  readonly expected: string;
  readonly got: string;
}

/** Results of the checks of one API. */
export interface Outcome {
  /** `drive/v3` */
  readonly name: string;
  readonly checks: number;
  readonly found: readonly Told[];
  /** Methods without a body in the check, since GET can't have one. */
  readonly bodiless: readonly string[];
  /** Checks that could not be run. */
  readonly failed: readonly string[];
}

/** Returns the folders below an output that have checks, such as `drive/v3`. */
export function apisBelow(out: string): string[] {
  return readdirSync(out, { recursive: true, encoding: "utf8" })
    .filter((file) => /(?:^|[/\\])conformance\.ts$/.test(file))
    .map((file) => path.dirname(file).split(path.sep).join("/"))
    .filter((name) => !name.startsWith("runtime"))
    .sort();
}

/** Compiles and runs the checks of an output, in one process per core. */
export async function runConformance(
  out: string,
  compiled: string,
): Promise<Outcome[]> {
  const names = apisBelow(out);
  mkdirSync(compiled, { recursive: true });
  await build({
    entryPoints: names.map((name) => ({
      in: path.join(out, name, "conformance.ts"),
      out: name,
    })),
    outdir: compiled,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "es2022",
    logLevel: "error",
  });
  const shares = Math.min(availableParallelism(), 4, names.length);
  const driver = path.join(ROOT, "test/conformance/support/driver.mjs");
  const runs = await Promise.all(
    Array.from({ length: shares }, (_, share) => {
      const own = names.filter((_name, index) => index % shares === share);
      const modules = own.map(
        (name) => `${name}=${path.join(compiled, `${name}.mjs`)}`,
      );
      return node([driver, ...modules]);
    }),
  );
  return runs.flatMap(({ output, code }) => {
    if (code !== 0) throw new Error(output.slice(-4000));
    return output
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Outcome);
  });
}
