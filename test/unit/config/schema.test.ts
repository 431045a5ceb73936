import { readFileSync } from "node:fs";
import path from "node:path";
import { Ajv } from "ajv";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { checkConfig } from "../../../src/config/load-config.js";
import { keysOf, namesOf } from "../../../src/config/config-keys.js";
import type {
  ApiConfig,
  GenConfig,
  JobConfig,
  TargetName,
} from "../../../src/config/gen-config.js";
import { configText } from "../../../src/config/init/init-project.js";
import { configSchema } from "../../../src/config/json-schema.js";
import { Sink } from "../../../src/diagnostics/sink.js";
import { ROOT } from "../../support/paths.js";

const read = (name: string): string =>
  readFileSync(path.join(ROOT, name), "utf8");
const committed = JSON.parse(
  read("generated/schemas/gen.config.schema.json"),
) as object;
const validate = new Ajv({ strict: true, allowUnionTypes: true }).compile(
  committed,
);

test("the committed schema is that of the table", () => {
  expect(committed).toEqual(JSON.parse(JSON.stringify(configSchema())));
});

test("the declared types have the keys of the table", () => {
  // The compiler requires every key of the types, and accepts no other.
  const settings = {
    target: true,
    trustProse: true,
    openapiFormat: true,
    openapiSplit: true,
    jsonSchemaSplit: true,
  } as const;
  const api: Record<keyof ApiConfig, true> = {
    ...settings,
    source: true,
    include: true,
    exclude: true,
    patches: true,
  };
  const output = {
    out: true,
    prune: true,
    auth: true,
    templates: true,
    emit: true,
    importSuffix: true,
    runtime: true,
    tsNocheck: true,
    formatter: true,
    ...settings,
  } as const;
  const job: Record<keyof JobConfig, true> = { ...output, apis: true };
  const file: Record<keyof GenConfig, true> = {
    ...output,
    $schema: true,
    directory: true,
    allowHttp: true,
    allowPrivate: true,
    specs: true,
    headers: true,
    validate: true,
    diff: true,
    update: true,
    apis: true,
    jobs: true,
  };
  expect(Object.keys(api).sort()).toEqual([...namesOf("api")].sort());
  expect(Object.keys(job).sort()).toEqual([...namesOf("job")].sort());
  expect(Object.keys(file).sort()).toEqual([...namesOf("file")].sort());
  const targets: Record<TargetName, true> = {
    client: true,
    validator: true,
    server: true,
    conformance: true,
    openapi: true,
    "json-schema": true,
  };
  const { choices } = keysOf("file").find(({ name }) => name === "target")!;
  expect(Object.keys(targets)).toEqual(choices);
});

/** Configs with a flag: true if they are valid. */
const CASES: readonly [boolean, unknown][] = [
  [true, { out: "o", apis: { "a:b": {} } }],
  [true, { $schema: "s", out: "o", apis: { "a:b": null, c: { source: "x" } } }],
  [true, { out: "o", target: "client, server", apis: {} }],
  [true, { out: "o", target: ["client"], prune: false, apis: {} }],
  [
    true,
    {
      apis: {},
      jobs: [
        { out: "o", apis: ["x"] },
        { apis: { "x:y": { include: "a.*", exclude: ["b"] } } },
      ],
    },
  ],
  [
    true,
    {
      apis: {},
      headers: {
        "a.example.com:8443": {
          authorization: "Bearer env:GEN_TOKEN",
          k: "env:GEN_K",
        },
      },
      validate: { rules: { "method-undescribed": "off" } },
    },
  ],
  [true, { apis: {}, headers: {}, validate: {} }],
  [false, { apis: {}, headers: [] }],
  [false, { apis: {}, headers: { "a.example.com": "env:GEN_X" } }],
  [false, { apis: {}, headers: { "a.example.com": { k: "literal" } } }],
  [false, { apis: {}, headers: { "a.example.com": { k: 1 } } }],
  [true, { apis: {}, headers: { "http://a.example.com": { k: "env:GEN_X" } } }],
  [false, { apis: {}, headers: { "a.example.com": { k: "env:X" } } }],
  [
    false,
    { apis: {}, headers: { "https://a.example.com": { k: "env:GEN_X" } } },
  ],
  [false, { apis: {}, validate: true }],
  [false, { apis: {}, validate: { rule: {} } }],
  [false, { apis: {}, validate: { rules: [] } }],
  [false, { apis: {}, validate: { rules: { "method-undescribed": "no" } } }],
  [false, { apis: {}, jobs: [{ validate: {} }] }],
  [false, { out: "o" }],
  [false, []],
  [false, { apis: {}, outt: "o" }],
  [false, { apis: {}, out: "" }],
  [false, { apis: {}, target: [] }],
  [false, { apis: {}, target: "clients" }],
  [false, { apis: {}, target: ["x"] }],
  [false, { apis: {}, importSuffix: ".js" }],
  [false, { apis: {}, trustProse: "true" }],
  [false, { apis: { "../a": {} } }],
  [false, { apis: { "a:b:c": {} } }],
  [false, { apis: { "a:b": { out: "o" } } }],
  [false, { apis: { "a:b": { include: [""] } } }],
  [false, { apis: { "a:b": "x" } }],
  [false, { apis: {}, jobs: [] }],
  [false, { apis: {}, jobs: [{ directory: "x" }] }],
  [false, { apis: {}, jobs: [{ apis: [] }] }],
  [false, { apis: {}, jobs: [{ apis: [1] }] }],
];

test.each(CASES)("ajv and the loader agree: %s %j", (isValid, config) => {
  const sink = new Sink();
  checkConfig(config, sink);
  expect({ ajv: validate(config), loader: !sink.hasErrors }).toEqual({
    ajv: isValid,
    loader: isValid,
  });
});

test("every key of the table has a case of ajv and the loader", () => {
  for (const level of ["file", "job", "api"] as const)
    for (const { name, kind } of keysOf(level)) {
      const wrong = { [name]: kind === "switch" ? "x" : 5 };
      const config =
        level === "file"
          ? { apis: {}, ...wrong }
          : level === "job"
            ? { apis: {}, jobs: [wrong] }
            : { apis: { "a:b": wrong } };
      const sink = new Sink();
      checkConfig(config, sink);
      expect(sink.diagnostics.map(({ code }) => code)).toEqual([
        "config-value",
      ]);
      expect(validate(config), `${level} ${name}`).toBe(false);
    }
});

describe("a documented or generated config is valid:", () => {
  const blocks = [...read("docs/config.md").matchAll(/```yaml\n([^]*?)```/g)];

  test.each(blocks.map(([, text]) => text!))("%s", (text) => {
    const config = { out: "o", ...(parse(text) as object) };
    const sink = new Sink();
    checkConfig(config, sink);
    expect(sink.diagnostics).toEqual([]);
    expect(validate(config), JSON.stringify(validate.errors)).toBe(true);
  });

  test.each(["yaml", "json", "ts"] as const)(
    "gen init --format %s",
    async (format) => {
      const settings = {
        api: ["drive:v3", path.join(ROOT, "specs/chat.v1.json")],
        out: "#",
        target: ["client", "server"],
        format,
        form: {},
        trustProse: false,
        script: false,
      };
      const text = await configText(settings, ROOT);
      const config: unknown =
        format === "yaml"
          ? parse(text)
          : format === "json"
            ? JSON.parse(text)
            : new Function(
                text
                  .replace(/^import .*\n/, "const defineConfig = (x) => x;\n")
                  .replace("export default", "return"),
              )();
      expect(validate(config), JSON.stringify(validate.errors)).toBe(true);
      expect(config).toMatchObject({
        out: "#",
        target: ["client", "server"],
        apis: {
          "drive:v3": {},
          "chat:v1": {
            source: expect.stringContaining("chat.v1.json") as string,
          },
        },
      });
    },
  );
});
