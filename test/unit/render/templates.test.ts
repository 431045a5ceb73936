import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { Engine } from "../../../src/render/engine.js";
import { Code } from "../../../src/render/typescript/code.js";
import { readUserTemplates } from "../../../src/render/user-templates.js";
import { ROOT, temporaryFolder } from "../../support/paths.js";

/** Expressions that Handlebars prints without escaping. */
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
  test.each(UNESCAPED)("that prints %s is rejected", (source) => {
    const read = readUserTemplates(folderWith("client/alias", source));
    expect(read).toMatchObject({
      diagnostics: [{ code: "template-invalid", severity: "error" }],
    });
  });

  test.each(["{{#if doc}}", "{{doc", "{{helper doc}}", "{{> }}"])(
    "that does not compile is rejected: %s",
    (source) => {
      const read = readUserTemplates(folderWith("client/alias", source));
      expect(read).toMatchObject({
        diagnostics: [{ code: "template-invalid" }],
      });
    },
  );

  test("with an unknown name is rejected", () => {
    const read = readUserTemplates(folderWith("client/aliases", "x"));
    expect(read).toMatchObject({ diagnostics: [{ code: "template-unknown" }] });
  });

  test("replaces the package's and prints code only", () => {
    const read = readUserTemplates(
      folderWith("client/alias", "// {{declaration}}"),
    );
    if (!("templates" in read)) throw new Error("rejected");
    const engine = new Engine(read.templates);
    const empty = new Code("");
    const view = { doc: empty, declaration: new Code("X") };
    expect(engine.render("client/alias", view)).toBe("// X");
    const raw = { ...view, declaration: "X" as unknown as Code };
    expect(() => engine.render("client/alias", raw)).toThrow(
      /unescaped value of type/,
    );
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

  /** Lints one template, beside a file that exports the interface X. */
  function lint(template: string): string {
    const folder = temporaryFolder();
    cpSync(path.join(ROOT, "scripts"), path.join(folder, "scripts"), {
      recursive: true,
    });
    mkdirSync(path.join(folder, "src"));
    writeFileSync(path.join(folder, "src/x.ts"), "export interface X {}\n");
    mkdirSync(path.join(folder, "templates"));
    writeFileSync(path.join(folder, "templates/x.hbs"), template);
    return run(folder);
  }

  test.each(["{{{doc}}}", "{{&doc}}", "{{~&doc}}"])("rejects %s", (source) => {
    expect(lint(`{{!-- view: X (src/x.ts) --}}\n${source}\n`)).toBe(
      "x.hbs:2: unescaped output\n",
    );
  });

  test.each([
    ["{{doc}}", "the first line must name the view's type and file"],
    ["{{!-- view: X (src/y.ts) --}}", "src/y.ts does not exist"],
    ["{{!-- view: Y (src/x.ts) --}}", "src/x.ts does not export the type Y"],
  ])("rejects the first line %s", (line, problem) => {
    expect(lint(`${line}\n`)).toBe(`x.hbs:1: ${problem}\n`);
  });
});
