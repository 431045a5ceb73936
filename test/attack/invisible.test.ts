import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { generate } from "../../src/index.js";
import { buildSite } from "../../src/site/static/build-site.js";
import { gen, texts, write } from "../cli/support.js";
import { description } from "../support/generate.js";
import { temporaryFolder } from "../support/paths.js";

const HIDDEN = "a\u202eb\u2066c\u200bd\u00ade";
const INVISIBLE =
  /[\u007f-\u009f\u00ad\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/;

const DOCUMENT = description({
  title: HIDDEN,
  description: HIDDEN,
  methods: {
    get: {
      id: "demo.get",
      path: "get",
      httpMethod: "GET",
      description: HIDDEN,
      parameters: { [HIDDEN]: { type: "string", location: "query" } },
      response: { $ref: "Item" },
    },
  },
  schemas: {
    Item: {
      id: "Item",
      type: "object",
      description: HIDDEN,
      properties: {
        [HIDDEN]: { type: "string", description: HIDDEN, default: HIDDEN },
        color: { type: "string", enum: [HIDDEN, "b"] },
      },
    },
  },
});

test.each(["json", "yaml"] as const)(
  "exports in %s contain no invisible characters, and the same data",
  async (openapiFormat) => {
    const cwd = temporaryFolder();
    write(cwd, { "demo.json": DOCUMENT });
    const target = ["openapi", "json-schema", "client", "validator"] as const;
    await generate({
      spec: "demo.json",
      out: "out",
      cwd,
      target,
      openapiFormat,
    });
    for (const [name, text] of Object.entries(texts(path.join(cwd, "out"))))
      expect(INVISIBLE.test(text), name).toBe(false);
    const file = path.join(cwd, "out/demo/v1", `openapi.${openapiFormat}`);
    const openapi = parse(readFileSync(file, "utf8")) as {
      readonly info: { readonly title: string };
      readonly components: { readonly schemas: Record<string, object> };
    };
    expect(openapi.info.title).toBe(HIDDEN);
    expect(openapi.components.schemas["Item"]).toHaveProperty([
      "properties",
      HIDDEN,
    ]);
  },
);

test("sites contain no invisible characters, in Markdown and llms.txt neither", () => {
  const bytes = Buffer.from(JSON.stringify(DOCUMENT));
  for (const { path: name, text } of buildSite([bytes]))
    expect(INVISIBLE.test(text), name).toBe(false);
});

test("a document writes no commands into the log of a GitHub runner", () => {
  const cwd = temporaryFolder();
  const command = "##[stop-commands]x";
  write(cwd, {
    "demo.json": { ...DOCUMENT, [command]: 1 },
    "new.json": { ...DOCUMENT, schemas: { [command]: { id: command } } },
  });
  const env = { GITHUB_ACTIONS: "true" };
  for (const args of [
    ["--spec", "demo.json", "--out", "out", "--verbose"],
    ["validate", "demo.json", "new.json"],
    ["validate", "new.json", "--format", "json"],
    ["diff", "demo.json", "new.json"],
    ["changelog", "demo.json", "new.json"],
    ["patch", "new", "demo.json", "new.json"],
    ["--spec", command, "--out", "out"],
    [command],
  ]) {
    const { stdout, stderr } = gen(args, { cwd, env });
    expect(stdout + stderr, args.join(" ")).not.toContain("##[");
    expect(stdout + stderr, args.join(" ")).not.toBe("");
  }
});
