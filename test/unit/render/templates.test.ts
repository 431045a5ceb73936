import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { Engine, type View } from "../../../src/render/engine.js";
import { Code } from "../../../src/render/typescript/code.js";
import { readOverrides } from "../../../src/render/user-templates.js";
import { ROOT, temporaryFolder } from "../../support/paths.js";

/** Forms in which Handlebars prints a value without asking the engine. */
const UNESCAPED = [
  "{{{doc}}}",
  "{{&doc}}",
  "{{~&doc}}",
  "{{& doc~}}",
  "{{~{doc}~}}",
  "{{#if doc}}{{{doc}}}{{/if}}",
];

function folderWith(name: string, source: string): string {
  const folder = temporaryFolder();
  mkdirSync(path.join(folder, "client"));
  writeFileSync(path.join(folder, `${name}.hbs`), source);
  return folder;
}

describe("a user's template", () => {
  test.each(UNESCAPED)("that prints %s is refused", (source) => {
    const read = readOverrides(folderWith("client/alias", source));
    expect(read).toMatchObject({
      diagnostics: [{ code: "template-invalid", severity: "error" }],
    });
  });

  test.each(["{{#if doc}}", "{{doc", "{{helper doc}}", "{{> }}"])(
    "that does not compile is refused: %s",
    (source) => {
      const read = readOverrides(folderWith("client/alias", source));
      expect(read).toMatchObject({
        diagnostics: [{ code: "template-invalid" }],
      });
    },
  );

  test("with a name that matches nothing is refused", () => {
    const read = readOverrides(folderWith("client/aliases", "x"));
    expect(read).toMatchObject({ diagnostics: [{ code: "template-unknown" }] });
  });

  test("takes the place of the package's, and still prints code only", () => {
    const read = readOverrides(folderWith("client/alias", "type {{name}}"));
    if (!("templates" in read)) throw new Error("refused");
    const engine = new Engine(read.templates);
    const view = { name: new Code("X") };
    expect(engine.render("client/alias", view)).toBe("type X");
    const raw = { name: "X" } as unknown as View;
    expect(() => engine.render("client/alias", raw)).toThrow(/is not code/);
  });
});

describe("the lint of templates", () => {
  const run = (folder: string): string => {
    try {
      execFileSync(
        process.execPath,
        [path.join(folder, "scripts/lint-templates.mjs")],
        { stdio: "pipe" },
      );
      return "";
    } catch (error) {
      return String((error as { stderr?: unknown }).stderr);
    }
  };

  test("passes on the package's templates", () => {
    expect(run(ROOT)).toBe("");
  });

  test.each(["{{{doc}}}", "{{&doc}}", "{{~&doc}}"])("refuses %s", (source) => {
    const folder = temporaryFolder();
    cpSync(path.join(ROOT, "scripts"), path.join(folder, "scripts"), {
      recursive: true,
    });
    mkdirSync(path.join(folder, "templates"));
    writeFileSync(
      path.join(folder, "templates/x.hbs"),
      `{{!-- view: X (src/x.ts) --}}\n${source}\n`,
    );
    expect(run(folder)).toContain("x.hbs:2: unescaped output");
  });
});
