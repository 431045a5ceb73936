import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import prettier from "prettier";
import { expect, test } from "vitest";
import { check, generate } from "../../../src/index.js";
import { apiOf, write } from "../../cli/support.js";
import { ROOT, temporaryFolder } from "../../support/paths.js";

/** Returns the files that Prettier would change with the settings of their folder. */
async function unformatted(folder: string): Promise<string[]> {
  const found: string[] = [];
  for (const entry of readdirSync(folder, {
    recursive: true,
    withFileTypes: true,
  })) {
    if (!entry.isFile() || !entry.name.endsWith(".ts")) continue;
    const file = path.join(entry.parentPath, entry.name);
    const settings = await prettier.resolveConfig(file, { editorconfig: true });
    const options = { ...settings, filepath: file };
    if (!(await prettier.check(readFileSync(file, "utf8"), options)))
      found.push(path.relative(folder, file));
  }
  return found;
}

const OPTIONS = {
  spec: "specs",
  out: "src/generated",
  formatter: "prettier",
  target: ["client", "server"],
  runtime: "package",
} as const;

const SETTINGS: [string, Record<string, string | object>][] = [
  ["none", {}],
  [
    "overrides by path",
    {
      ".prettierrc": {
        semi: false,
        overrides: [
          {
            files: "src/generated/**/resources/*.ts",
            options: { tabWidth: 8 },
          },
          {
            files: "**/schemas.ts",
            options: { singleQuote: true, semi: true },
          },
          { files: "*.ts", options: { printWidth: 40 } },
        ],
      },
    },
  ],
  [
    "an editorconfig",
    {
      ".editorconfig":
        "root = true\n[**/resources/*.ts]\nindent_style = tab\nmax_line_length = 50\n",
    },
  ],
  [
    "settings in the output folder",
    {
      ".prettierrc": { printWidth: 120 },
      "src/generated/demo/.prettierrc.json": {
        bracketSpacing: false,
        experimentalTernaries: true,
      },
    },
  ],
  ["CRLF line ends", { ".prettierrc": { endOfLine: "crlf" } }],
];

test.each(SETTINGS)("Prettier's own check passes: %s", async (_, files) => {
  const cwd = temporaryFolder();
  write(cwd, { "specs/demo.json": apiOf("demo"), ...files });
  const options = { ...OPTIONS, cwd };
  expect((await generate(options)).diagnostics).toEqual([]);
  const out = path.join(cwd, OPTIONS.out);
  expect(await unformatted(out)).toEqual([]);
  expect((await check(options)).changed).toBe(false);
});

test("changed settings for one file regenerate it", async () => {
  const cwd = temporaryFolder();
  write(cwd, { "specs/demo.json": apiOf("demo") });
  const options = { ...OPTIONS, cwd };
  await generate(options);
  const overrides = [{ files: "**/none.ts", options: { semi: false } }];
  writeFileSync(path.join(cwd, ".prettierrc"), JSON.stringify({ overrides }));
  expect((await check(options)).changed).toBe(false);
  overrides[0]!.files = "**/client.ts";
  writeFileSync(path.join(cwd, ".prettierrc"), JSON.stringify({ overrides }));
  const { files } = await check(options);
  const changed = files.filter(({ action }) => action === "update");
  expect(changed.map((file) => file.path)).toContain("demo/v1/client.ts");
  await generate(options);
  expect(await unformatted(path.join(cwd, OPTIONS.out))).toEqual([]);
});

test("Prettier's check passes for the descriptions of the services, narrow and with tabs", async () => {
  const cwd = temporaryFolder();
  write(cwd, {
    ".prettierrc": {
      printWidth: 50,
      useTabs: true,
      trailingComma: "none",
      arrowParens: "avoid",
    },
  });
  const spec = path.join(ROOT, "specs/chat.v1.json");
  await generate({ ...OPTIONS, spec, cwd });
  expect(await unformatted(path.join(cwd, OPTIONS.out))).toEqual([]);
});
