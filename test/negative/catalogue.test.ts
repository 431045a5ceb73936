import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import type { OptionValues } from "../../src/generate/options.js";
import { driftOf } from "../../src/cli/reporters/report.js";
import { catalogue, type Code } from "../../src/diagnostics/catalogue.js";
import { reportError } from "../../src/cli/main.js";
import { Sink } from "../../src/diagnostics/sink.js";
import { loadWithPackage } from "../../src/platform/optional-package.js";
import { resolvePointer } from "../../src/diagnostics/types.js";
import { generate, type Diagnostic } from "../../src/index.js";
import { runPipeline } from "../../src/generate/pipeline.js";
import { sameSettings } from "../../src/generate/settings.js";
import { generateSite } from "../../src/site/static/build-site.js";
import { apiOf, genProcess, write } from "../cli/support.js";
import { description } from "../support/generate.js";
import { temporaryFolder } from "../support/paths.js";
import { configs } from "./configs.js";
import { comparisons } from "./comparisons.js";
import { documents } from "./documents.js";
import { inputs } from "./inputs.js";
import { mocksAndScaffolds } from "./mocks-and-scaffolds.js";
import { remote } from "./remote.js";
import { selectionAndPatches } from "./selection-and-patches.js";
import { services } from "./services.js";

/** Generates from a folder with some files; returns the findings of one code. */
async function provoke(
  code: Code,
  files: Readonly<Record<string, string | object>>,
  options: Parameters<typeof generate>[0],
): Promise<readonly Diagnostic[]> {
  const cwd = temporaryFolder();
  write(cwd, files);
  const { diagnostics } = await generate({ cwd, ...options });
  return diagnostics.filter((found) => found.code === code);
}

const PLAIN = { spec: "specs", out: "out" };
const DEMO = { "specs/demo.json": apiOf("demo") };

/** Reproductions of the codes that are not about the content of one document. */
const others: Partial<Record<Code, () => Promise<readonly Diagnostic[]>>> = {
  ...services,
  ...configs,
  ...mocksAndScaffolds,
  ...remote,
  ...selectionAndPatches,
  ...comparisons,
  "package-missing": async () => {
    const sink = new Sink();
    const load = () => import("no-such-package" as string);
    await loadWithPackage("no-such-package", "A test", load).catch((error) =>
      expect(reportError(error, sink)).toBe(2),
    );
    return sink.diagnostics;
  },
  "source-missing": () => provoke("source-missing", {}, PLAIN),
  "pattern-unenforced": () =>
    provoke(
      "pattern-unenforced",
      {
        "specs/demo.json": {
          ...apiOf("demo"),
          schemas: { A: { id: "A", type: "string", pattern: "^(a+)+$" } },
        },
      },
      { ...PLAIN, target: ["validator"] },
    ),
  "source-empty": () => provoke("source-empty", { "specs/x.txt": "" }, PLAIN),
  "source-unreadable": async () => {
    const cwd = temporaryFolder();
    mkdirSync(path.join(cwd, "specs"));
    const { symlinkSync } = await import("node:fs");
    symlinkSync(".", path.join(cwd, "specs/loop.json"));
    return (await generate({ cwd, ...PLAIN })).diagnostics;
  },
  "source-too-large": async () => {
    const { truncateSync } = await import("node:fs");
    const cwd = temporaryFolder();
    const file = path.join(cwd, "large.json");
    writeFileSync(file, "");
    truncateSync(file, 200 * 1024 * 1024);
    return (await generate({ cwd, spec: file, out: "out" })).diagnostics;
  },
  "source-unsupported": () =>
    provoke("source-unsupported", {}, { spec: "ftp://x.example/y", out: "o" }),
  "json-duplicate-key": () =>
    provoke(
      "json-duplicate-key",
      {
        "specs/demo.json": `{"kind":"discovery#restDescription","name":"a","name":"b","version":"v1"}`,
      },
      PLAIN,
    ),
  "api-duplicate": () =>
    provoke("api-duplicate", { ...DEMO, "specs/b.json": apiOf("demo") }, PLAIN),
  "api-case": () =>
    provoke("api-case", { ...DEMO, "specs/b.json": apiOf("Demo") }, PLAIN),
  "target-kept": async () => {
    const cwd = temporaryFolder();
    write(cwd, DEMO);
    await generate({ cwd, ...PLAIN, target: ["validator"] });
    return (await generate({ cwd, ...PLAIN })).diagnostics;
  },
  "output-drift": async () => {
    const files = [{ path: "a", action: "create" as const, hash: "" }];
    const values = { spec: ["specs"], out: "out" } as unknown as OptionValues;
    return driftOf([{ folder: "demo/v1", files }], values);
  },
  "output-foreign": () =>
    provoke("output-foreign", { ...DEMO, "out/demo/v1/index.ts": "" }, PLAIN),
  "site-folder": async () => {
    const cwd = temporaryFolder();
    write(cwd, { "specs/a.json": apiOf("a"), "site/notes.txt": "mine" });
    return (await generateSite(["specs"], "site", cwd)).diagnostics;
  },
  "output-unwritable": () =>
    provoke("output-unwritable", DEMO, { ...PLAIN, out: "specs/demo.json" }),
  "output-edited": async () => {
    const cwd = temporaryFolder();
    write(cwd, { ...DEMO, "specs/b.json": apiOf("b") });
    await generate({ cwd, ...PLAIN });
    write(cwd, {
      "out/demo/v1/index.ts": "// edited",
      "specs/demo.json": apiOf("c"),
    });
    return (await generate({ cwd, ...PLAIN })).diagnostics;
  },
  "manifest-invalid": () =>
    provoke(
      "manifest-invalid",
      { ...DEMO, "out/.gen-manifest.json": "" },
      PLAIN,
    ),
  "template-unknown": () =>
    provoke(
      "template-unknown",
      { ...DEMO, "mine/client/indx.hbs": "" },
      { ...PLAIN, templates: "mine" },
    ),
  "template-invalid": () =>
    provoke(
      "template-invalid",
      { ...DEMO, "mine/client/index.hbs": "{{#if}}" },
      { ...PLAIN, templates: "mine" },
    ),
  ...services,
  usage: () => provoke("usage", DEMO, { ...PLAIN, target: ["clent"] }),
  internal: async () => {
    const cwd = temporaryFolder();
    write(cwd, { ...DEMO, "specs/b.json": apiOf("b") });
    const fail = (): never => {
      throw new RangeError("a bug");
    };
    const { diagnostics, total } = await runPipeline(
      {
        specs: sameSettings(["specs"], {
          target: ["client"],
          trustProse: false,
        }),
        cwd,
        out: "out",
        mode: "write",
        force: false,
        prune: false,
        importSuffix: "js",
        runtime: "copy",
        tsNocheck: "none",
        formatter: "none",
        showsInfo: true,
      },
      {
        imports: { importSuffix: ".js" },
        engine: fail,
        javaScript: fail,
        optionsHash: "",
      },
    );
    // A bug in one document does not stop the others.
    expect(diagnostics).toHaveLength(total);
    return diagnostics;
  },
};

test("every code has a test, a cause and a fix", () => {
  const tested = new Set([
    ...documents.map(({ code }) => code),
    ...inputs.map(({ code }) => code),
    ...Object.keys(others),
  ]);
  expect([...tested].sort()).toEqual(Object.keys(catalogue).sort());
  for (const [code, { cause, fix }] of Object.entries(catalogue)) {
    expect(code).toMatch(/^[a-z]+(-[a-z]+)*$/);
    for (const sentence of [cause, fix]) expect(sentence).toMatch(/^\S.+\.$/);
  }
});

describe("a document", () => {
  test.each(documents)("$code", async ({ code, document, ...expected }) => {
    const { pointer, message, target = ["client"] } = expected;
    const text = JSON.stringify(document, undefined, 2);
    const files = { "specs/demo.json": text };
    const [found] = await provoke(code, files, { ...PLAIN, target });
    const { severity, cause, fix } = catalogue[code];
    expect(found).toMatchObject({ code, severity, cause, fix, pointer });
    expect(found?.file).toBe("specs/demo.json");
    expect(found?.message).toContain(message);
    const place = placeOf(text, pointer);
    expect({ line: found?.line, column: found?.column }).toEqual(place);
  });
});

/** Returns the position of a pointer's key or element in text indented by 2. */
function placeOf(text: string, pointer: string): object {
  const marked = JSON.parse(text) as object;
  const tokens = pointer.split("/").slice(1);
  const last = tokens.pop();
  if (last === undefined) return { line: 1, column: 1 };
  const owner = resolvePointer(
    marked,
    tokens.map((token) => `/${token}`).join(""),
  );
  const lines = text.split("\n");
  if (typeof owner !== "object" || owner === null || !(last in owner))
    return placeOf(text, tokens.map((token) => `/${token}`).join(""));
  (owner as Record<string, unknown>)[last] = "\u0001";
  const changed = JSON.stringify(marked, undefined, 2).split("\n");
  const index = changed.findIndex((line) => line.includes("\\u0001"));
  return { line: index + 1, column: lines[index]!.search(/\S/) + 1 };
}

describe("the run", () => {
  test.each(Object.entries(others))("%s", async (code, cause) => {
    const [found] = await cause();
    const { severity, cause: why, fix } = catalogue[code as Code];
    expect(found).toMatchObject({ code, severity, cause: why });
    // The command that updates the output depends on the options.
    if (code !== "output-drift") expect(found?.fix).toBe(fix);
    expect(found?.message).toMatch(/\S/);
  });
});

test("the command line prints findings and exits with the code of the catalogue", () => {
  const cwd = temporaryFolder();
  write(cwd, {
    "wrong.json": description({ name: 5 }),
    "demo.json": apiOf("demo"),
  });
  const args = ["--spec", "wrong.json", "demo.json", "--out", "out"];
  const { status, stdout, stderr } = genProcess(args, { cwd });
  expect(status).toBe(3);
  expect(stdout).toMatch(/^1 of 2 documents: \d+ files created\n$/);
  expect(stderr).toBe(
    `wrong.json:3:3: error shape-wrong-type: /name must be a string, found 5 (at /name)\n` +
      `    cause: ${catalogue["shape-wrong-type"].cause}\n` +
      `    fix:   ${catalogue["shape-wrong-type"].fix}\n`,
  );
});
