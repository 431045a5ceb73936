import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { transform } from "esbuild";
import ts from "ts6";
import { beforeAll, expect, test } from "vitest";
import { node } from "../compile/process.js";
import { MATRIX, typecheck } from "../compile/typescript.js";
import { ROOT } from "../support/paths.js";
import {
  CORPUS,
  describeCorpus,
  filesBelow,
  generate,
  suiteFolder,
} from "./support.js";

const DOCUMENTS = [
  "bigquery.v2",
  "calendar.v3",
  "compute.v1",
  "forms.v1",
  "drive.v3",
  "gmail.v1",
  "people.v1",
  "sheets.v4",
  "storage.v1",
  "youtube.v3",
];

const TARGETS = "client,validator,server,conformance";

/** `--emit js` writes the code of the TypeScript output, and its declarations. */
describeCorpus("javascript", () => {
  const folder = suiteFolder();
  const typed = path.join(folder, "ts");
  const written = path.join(folder, "js");
  const read = (base: string, file: string): string =>
    readFileSync(path.join(base, file), "utf8");
  const modules = (): string[] =>
    filesBelow(typed).filter((file) => file.endsWith(".ts"));

  beforeAll(async () => {
    const specs = DOCUMENTS.map((name) => path.join(CORPUS, `${name}.json`));
    await generate(typed, specs, TARGETS);
    await generate(written, specs, TARGETS, ["--emit", "js"]);
    writeFileSync(path.join(folder, "package.json"), '{ "type": "module" }\n');
  });

  test("each module has code, and declarations unless it exports nothing", () => {
    const files = filesBelow(written).filter((file) => !file.startsWith("."));
    const expected = modules().flatMap((file) => {
      const base = file.replace(/\.ts$/, "");
      const isScript = base.endsWith(".test");
      return isScript ? [`${base}.js`] : [`${base}.d.ts`, `${base}.js`];
    });
    expect(files).toEqual(expected.sort());
  });

  test("code is that of the TypeScript output without its types", async () => {
    const options = { target: "es2022", minifyWhitespace: true } as const;
    const tsconfigRaw = { compilerOptions: { verbatimModuleSyntax: true } };
    for (const file of modules()) {
      const [expected, actual] = await Promise.all([
        transform(read(typed, file), { ...options, loader: "ts", tsconfigRaw }),
        transform(read(written, file.replace(/\.ts$/, ".js")), options),
      ]);
      // The compiler omits `export {}`, which marks modules without values.
      const code = actual.code.replace(/^export\{\};\n/, "");
      expect(code, file).toBe(expected.code);
    }
  });

  test("declarations are those of the compiler", async () => {
    const out = path.join(folder, "declared");
    await declare(typed, out);
    for (const file of modules()) {
      if (file.endsWith(".test.ts")) continue;
      const name = file.replace(/\.ts$/, ".d.ts");
      const expected = normalized(read(out, name));
      const actual = normalized(read(written, name));
      expect(actual.statements, name).toEqual(expected.statements);
      // Modules of types keep all comments, others those of declarations.
      if (name.endsWith("/schemas.d.ts"))
        expect(read(written, name)).toBe(read(typed, file));
      for (const line of actual.imports)
        expect(read(typed, file).replace(/\s+/g, " "), name).toContain(line);
    }
  });

  test.each(MATRIX)(
    "declarations compile with TypeScript %s, %s",
    async (compiler, platform) => {
      const include = ["js/**/*.d.ts"];
      const flags = { declaration: false, isolatedDeclarations: false };
      expect(await typecheck(folder, compiler, platform, include, flags)).toBe(
        "",
      );
    },
  );

  test("Node.js imports every module", async () => {
    const names = filesBelow(written).filter(
      (file) => file.endsWith(".js") && !file.endsWith(".test.js"),
    );
    const script = path.join(folder, "import.js");
    const lines = names.map((name) => `await import("./js/${name}");`);
    writeFileSync(script, lines.join("\n"));
    const { code, output } = await node([script]);
    expect(output).toBe("");
    expect(code).toBe(0);
  });

  test("the conformance tests of a document pass", async () => {
    const file = path.join(written, "drive/v3/conformance.test.js");
    const { code, output } = await node(["--test", file], {
      env: { PATH: process.env["PATH"] },
    });
    expect(code, output).toBe(0);
    expect(output).toMatch(/# pass \d\d/);
  });
});

/** Lets the compiler write the declarations of TypeScript files. */
async function declare(source: string, out: string): Promise<void> {
  const config = path.join(source, "tsconfig.json");
  const compilerOptions = {
    target: "ES2022",
    lib: ["ES2022", "DOM"],
    module: "NodeNext",
    strict: true,
    exactOptionalPropertyTypes: true,
    verbatimModuleSyntax: true,
    declaration: true,
    emitDeclarationOnly: true,
    skipLibCheck: true,
    types: [],
    rootDir: source,
    outDir: out,
  };
  writeFileSync(config, JSON.stringify({ compilerOptions }));
  const tsc = path.join(ROOT, "node_modules/typescript/bin/tsc");
  const { code, output } = await node([tsc, "-p", config]);
  expect(code, output).toBe(0);
}

interface Declarations {
  readonly imports: readonly string[];
  readonly statements: string;
}

/**
 * Separates the imports of declarations from their statements, which are
 * printed by the compiler. Compilers remove imports and add `export {}` by their own
 * rules.
 */
function normalized(text: string): Declarations {
  const imports = /^import [^;]*;\n/gm;
  const statements = text
    .replace(imports, "")
    .replace(/^\/\/.*\n/gm, "")
    .replace("/* eslint-disable */\n", "")
    .replace(/^export \{\};\n/m, "")
    // Some compilers keep `override`, which has no effect in declarations.
    .replace(/\boverride /g, "");
  const file = ts.createSourceFile(
    "file.ts",
    statements,
    ts.ScriptTarget.ES2022,
  );
  return {
    imports: [...text.matchAll(imports)].flatMap(([line]) =>
      namesOf(line.replace(/\s+/g, " ")),
    ),
    statements: ts
      .createPrinter({ removeComments: true })
      .printFile(file)
      .replaceAll(", }", " }"),
  };
}

/** Returns the module and the names of an import statement. */
function namesOf(line: string): string[] {
  const [, list = "", module = ""] =
    /^import (?:type )?(?:\{([^}]*)\}|\*.*) from (".*");/.exec(line) ?? [];
  const names = list.split(",").map((name) => name.trim());
  return [`from ${module};`, ...names.filter((name) => name !== "")];
}
