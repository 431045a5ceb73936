import path from "node:path";
import { gzipSync } from "node:zlib";
import { buildSync } from "esbuild";
import { expect, it } from "vitest";
import { ROOT } from "../../support/paths.js";

function bundle(name: string): string {
  const { outputFiles } = buildSync({
    stdin: {
      contents: `import { ${name} } from "./index.ts"; globalThis.credentials = ${name};`,
      resolveDir: path.join(ROOT, "src/runtime/auth"),
      loader: "ts",
    },
    bundle: true,
    minify: true,
    format: "esm",
    platform: "browser",
    target: "es2022",
    write: false,
  });
  return outputFiles[0]!.text;
}

// Bytes after gzip.
it.each([
  ["apiKey", 300],
  ["serviceAccount", 2_048],
  ["refreshToken", 1_700],
  ["metadataServer", 1_700],
  ["impersonate", 2_048],
  ["downscope", 2_100],
  ["idToken", 950],
  ["externalAccount", 4_400],
  ["keyFile", 6_100],
])(
  "the bundle of %s has at most %i bytes, and nothing of other functions",
  (name, budget) => {
    const text = bundle(name);
    expect(gzipSync(text, { level: 9 }).length).toBeLessThanOrEqual(budget);
    if (!/externalAccount|keyFile/.test(name))
      expect(text).not.toContain("AWS4");
    expect(text).not.toMatch(/(?<![.\w"])(process|Buffer|require)\b/);
  },
);
