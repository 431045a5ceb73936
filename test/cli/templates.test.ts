import { readFileSync, symlinkSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { generate } from "../../src/index.js";
import { ROOT, temporaryFolder } from "../support/paths.js";
import { apiOf, gen, texts, tree, write } from "./support.js";

const ARGS = ["--spec", "specs", "--out", "out", "--templates", "mine"];
const INDEX = readFileSync(
  path.join(ROOT, "templates/client/index.hbs"),
  "utf8",
);

function project(templates: Record<string, string>): string {
  const cwd = temporaryFolder();
  write(cwd, {
    "specs/demo.json": apiOf("demo"),
    "specs/else.json": apiOf("else"),
  });
  write(path.join(cwd, "mine"), { "readme.txt": "mine", ...templates });
  return cwd;
}

test("a user template replaces that of the package; other output is unchanged", () => {
  const cwd = project({ "client/index.hbs": `${INDEX}// Ours, too.\n` });
  expect(gen(ARGS, { cwd }).status).toBe(0);
  const mine = texts(path.join(cwd, "out"));
  gen(["--spec", "specs", "--out", "plain"], { cwd });
  const plain = texts(path.join(cwd, "plain"));
  const differing = Object.keys(plain).filter(
    (name) => name !== ".gen-manifest.json" && plain[name] !== mine[name],
  );
  expect(differing).toEqual(["demo/v1/index.ts", "else/v1/index.ts"]);
  expect(mine["demo/v1/index.ts"]).toBe(
    `${plain["demo/v1/index.ts"]}// Ours, too.\n`,
  );
});

test("a changed template regenerates the output", () => {
  const cwd = project({ "client/index.hbs": INDEX });
  gen(ARGS, { cwd });
  expect(gen([...ARGS, "--check"], { cwd }).status).toBe(0);
  write(cwd, { "mine/client/index.hbs": `${INDEX}// New.\n` });
  expect(gen([...ARGS, "--check"], { cwd }).status).toBe(1);
  write(cwd, { "mine/client/index.hbs": INDEX });
  expect(gen([...ARGS, "--check"], { cwd }).status).toBe(0);
});

test("a partial can be overridden", () => {
  const method = readFileSync(
    path.join(ROOT, "templates/client/method.hbs"),
    "utf8",
  );
  const cwd = project({ "client/method.hbs": `// A method.\n${method}` });
  expect(gen(ARGS, { cwd }).status).toBe(0);
  const file = texts(cwd)["out/demo/v1/resources/things.ts"];
  expect(file).toContain("\n// A method.\n");
});

const WRONG: [string, Record<string, string>, string, string][] = [
  [
    "unknown name",
    { "client/indx.hbs": "" },
    "template-unknown",
    "client/indx.hbs does not match the name of a built-in template (did you mean client/index?)",
  ],
  [
    "wrong folder",
    { "index.hbs": "" },
    "template-unknown",
    "index.hbs does not match the name of a built-in template",
  ],
  [
    "syntax error",
    { "client/index.hbs": "{{#if x}}" },
    "template-invalid",
    "client/index.hbs: Parse error on line 1",
  ],
  [
    "unknown helper",
    { "client/index.hbs": "{{shout banner}}" },
    "template-invalid",
    "client/index",
  ],
  [
    "unknown partial",
    { "client/index.hbs": "{{> nowhere}}" },
    "template-invalid",
    "client/index: The partial nowhere could not be found",
  ],
  [
    "unescaped by braces",
    { "client/index.hbs": "{{{banner}}}" },
    "template-invalid",
    "client/index.hbs prints a value without escaping it",
  ],
  [
    "unescaped by &",
    { "client/index.hbs": "{{~& banner}}" },
    "template-invalid",
    "prints a value without escaping it",
  ],
  [
    "a value that is not code",
    { "client/index.hbs": "{{exports.length}}" },
    "template-invalid",
    "client/index: the template printed an unescaped value of type number",
  ],
  [
    "a literal in a template",
    { "client/index.hbs": '{{lookup "x" 0}}' },
    "template-invalid",
    "client/index",
  ],
  [
    "recursion without end",
    { "client/index.hbs": "{{> client/index}}" },
    "template-invalid",
    "client/index",
  ],
];

test.each(WRONG)(
  "%s: exit code 2, and no output",
  (_, templates, code, message) => {
    const cwd = project(templates);
    const before = tree(cwd);
    const { status, stderr } = gen(ARGS, { cwd });
    expect(stderr).toContain(`error ${code}: `);
    expect(stderr).toContain(message);
    expect(stderr).not.toContain("error internal");
    expect(status).toBe(2);
    expect(tree(cwd)).toEqual(before);
  },
);

test.each([
  ["that is missing", "nowhere", "the templates folder can't be read: ENOENT"],
  [
    "that is a file",
    "specs/demo.json",
    "the templates folder can't be read: ENOTDIR",
  ],
])("a folder %s", (_, folder, message) => {
  const cwd = project({});
  const args = [...ARGS.slice(0, -1), folder];
  const { status, stderr } = gen(args, { cwd });
  expect(status).toBe(2);
  expect(stderr).toContain("error template-unknown: ");
  expect(stderr).toContain(message);
});

test("an unreadable template is reported", () => {
  const cwd = project({});
  write(cwd, { "mine/client/readme.txt": "" });
  symlinkSync("nowhere", path.join(cwd, "mine/client/index.hbs"));
  const { status, stderr } = gen(ARGS, { cwd });
  expect(stderr).toContain("error template-invalid: ");
  expect(status).toBe(2);
});

test("a value that is missing in the view prints nothing", async () => {
  const cwd = project({
    "client/index.hbs": "{{banner}}{{nothing}}\nexport {};\n",
  });
  const options = { spec: "specs", out: "out", templates: "mine", cwd };
  const { diagnostics } = await generate(options);
  expect(diagnostics).toEqual([]);
  expect(texts(cwd)["out/demo/v1/index.ts"]).toMatch(/\nexport \{\};\n$/);
});
