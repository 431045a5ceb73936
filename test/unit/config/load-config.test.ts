import path from "node:path";
import { describe, expect, test } from "vitest";
import {
  loadConfig,
  type LoadOptions,
} from "../../../src/config/load-config.js";
import { write } from "../../cli/support.js";
import { temporaryFolder } from "../../support/paths.js";

/** Loads a config from a folder with some files. */
async function load(
  files: Readonly<Record<string, string | object>>,
  options: Partial<LoadOptions> = {},
): Promise<Awaited<ReturnType<typeof loadConfig>> & { cwd: string }> {
  const cwd = temporaryFolder();
  write(cwd, files);
  return { ...(await loadConfig({ cwd, ...options })), cwd };
}

/** Loads gen.config.yaml; returns `code line:column message` of its findings. */
async function findings(text: string): Promise<string[]> {
  const { diagnostics, resolved } = await load({ "gen.config.yaml": text });
  if (diagnostics.length > 0) expect(resolved).toBeUndefined();
  return diagnostics.map(
    ({ code, line, column, message }) => `${code} ${line}:${column} ${message}`,
  );
}

const FULL = {
  out: "gen",
  apis: { "drive:v3": { target: ["server"], trustProse: true } },
};

describe("a config is the same in", () => {
  const js = `export default ${JSON.stringify(FULL)};`;
  const yaml =
    'out: gen\napis:\n  "drive:v3":\n    target: server\n    trustProse: true\n';
  test.each([
    ["gen.config.yaml", yaml],
    ["gen.config.yml", yaml],
    ["gen.config.json", JSON.stringify(FULL)],
    ["gen.config.mjs", js],
    [
      "gen.config.mjs",
      `export default Promise.resolve(${JSON.stringify(FULL)});`,
    ],
    ["gen.config.js", `module.exports = ${JSON.stringify(FULL)};`],
  ])("%s", async (name, text) => {
    const cwd = temporaryFolder();
    write(cwd, { [name]: text });
    const { resolved, diagnostics } = await loadConfig({ cwd });
    expect(diagnostics).toEqual([]);
    expect(resolved).toEqual({
      jobs: [
        {
          out: "gen",
          options: {
            prune: true,
            emit: "ts",
            importSuffix: "js",
            runtime: "copy",
            auth: false,
            tsNocheck: "none",
            formatter: "none",
          },
          apis: [
            {
              id: "drive:v3",
              file: "specs/drive.v3.json",
              isFetched: true,
              settings: { target: ["server"], trustProse: true },
              patches: [],
              patchedApi: "drive:v3",
            },
          ],
        },
      ],
      specs: "specs",
      levels: {},
      diff: {},
      update: {},
      lockFile: path.join(cwd, "gen.lock.json"),
      isPartial: false,
      remote: { allowHttp: false, allowPrivate: false },
    });
  });
});

describe("a mistake has its position", () => {
  test.each([
    [
      "out: gen\napi: {}\napis: { a:b: }\n",
      'config-key 2:1 the config has the unknown key "api" (did you mean apis?); expected one of',
    ],
    [
      "out: gen\napis:\n  drive:v3:\n    targets: [client]\n",
      'config-key 4:5 an API has the unknown key "targets" (did you mean target?)',
    ],
    [
      "out: gen\ncheck: true\napis: { a:b: {} }\n",
      'config-key 2:1 the config has the unknown key "check"; expected one of',
    ],
    [
      "out: gen\ninclude: [x]\napis: { a:b: {} }\n",
      'config-key 2:1 the config has the unknown key "include" (it is a key of an API)',
    ],
    [
      "out: gen\njobs:\n  - specs: x\napis: { a:b: {} }\n",
      'config-key 3:5 a job has the unknown key "specs" (it is a key of the config)',
    ],
    [
      "out: 5\napis: { a:b: {} }\n",
      "config-value 1:1 out must be a non-empty string, found 5",
    ],
    [
      "out: gen\ntarget: [clent]\napis: { a:b: {} }\n",
      "config-value 2:1 target must be a list of client, validator, server, ",
    ],
    [
      "out: gen\ntarget: []\napis: { a:b: {} }\n",
      "config-value 2:1 target must be a list of",
    ],
    [
      "out: gen\nimportSuffix: .js\napis: { a:b: {} }\n",
      'config-value 2:1 importSuffix must be one of js, ts, none (did you mean js?), found ".js"',
    ],
    [
      "out: gen\nprune: yes\napis: { a:b: {} }\n",
      'config-value 2:1 prune must be true or false, found "yes"',
    ],
    [
      "out: gen\napis: [drive:v3]\n",
      "config-value 2:1 apis must be an object with an entry for each API, found a list",
    ],
    ["out: gen\n", "config-value 1:1 apis is missing; expected an object"],
    [
      "out: gen\napis: {}\n",
      "config-empty 2:1 apis must contain at least one API",
    ],
    [
      "out: gen\napis: { ../x: {} }\n",
      'config-value 2:9 "../x" must be name:version or a label',
    ],
    [
      "out: gen\napis: { __proto__: { source: x } }\n",
      'config-value 2:9 "__proto__" must be name:version or a label',
    ],
    [
      "out: gen\napis: { mine: {} }\n",
      "config-value 2:9 mine must have a source, because the label does not have the form name:version",
    ],
    [
      "out: gen\napis: { mine: { source: ftp://x.example/y } }\n",
      "config-value 2:17 source must be a file, folder, glob or http(s) URL, not ftp://x.example/y",
    ],
    [
      "out: gen\napis: { a: { source: x.json }, b: { source: ./x.json } }\n",
      "config-value 2:32 a and b have the same source ./x.json",
    ],
    [
      "out: gen\napis: { a:b.c: {}, a.b:c: {} }\n",
      "config-value 2:20 a:b.c and a.b:c would use the same file specs/a.b.c.json",
    ],
    [
      "apis: { a:b: {} }\n",
      "config-out 1:1 out is missing; expected an output folder",
    ],
    [
      "out: gen\njobs:\n  - {}\n  - out: ./gen/\napis: { a:b: {} }\n",
      "config-out undefined:undefined two jobs have the output folder ./gen/; each job must have its own folder",
    ],
    [
      "out: gen\njobs:\n  - apis: [a:b, c:d]\napis: { a:b: {} }\n",
      "config-api 3:17 the config has no API c:d",
    ],
    [
      "out: gen\njobs: []\napis: { a:b: {} }\n",
      "config-value 2:1 jobs must be a list of at least one job, found a list",
    ],
    [
      "out: gen\n  apis: {}\n",
      "config-file 1:6 gen.config.yaml can't be used: ",
    ],
    [
      "out: gen\nout: gen\n",
      "config-file 2:1 gen.config.yaml can't be used: Map keys must be unique",
    ],
    ["", "config-value 1:1 the config must be an object, found null"],
    [
      "\0",
      "config-file undefined:undefined gen.config.yaml can't be used: the file must be UTF-8 text",
    ],
  ])("%j", async (text, expected) => {
    const [found] = await findings(text);
    expect(found?.slice(0, expected.length)).toBe(expected);
  });

  test("in JSON", async () => {
    const text =
      '{\n  "out": "gen",\n  "apis": {\n    "a:b": { "sorce": "x" }\n  }\n}';
    const { diagnostics } = await load({ "gen.config.json": text });
    expect(diagnostics).toMatchObject([
      {
        code: "config-key",
        file: "gen.config.json",
        line: 4,
        column: 14,
        pointer: "/apis/a:b/sorce",
      },
    ]);
    const broken = await load({ "gen.config.json": '{\n "out": gen }' });
    expect(broken.diagnostics).toMatchObject([
      { code: "config-file", line: 2, column: 9 },
    ]);
    const twice = await load({ "gen.config.json": '{"out":"a","out":"b"}' });
    expect(twice.diagnostics).toMatchObject([
      { code: "config-file", line: 1, column: 12 },
    ]);
  });

  test("in JavaScript: its pointer", async () => {
    const text = 'export default { out: () => "gen", apis: { "a:b": {} } };';
    const { diagnostics } = await load({ "gen.config.mjs": text });
    expect(diagnostics).toMatchObject([
      {
        code: "config-value",
        message: "out must be a non-empty string, found a function",
        pointer: "/out",
      },
    ]);
  });
});

test("parent folders are not searched, and two configs are an error", async () => {
  const cwd = temporaryFolder();
  write(cwd, {
    "gen.config.yaml": "",
    "below/x": "",
    "both/gen.config.js": "",
    "both/gen.config.json": "",
  });
  const below = await loadConfig({ cwd: path.join(cwd, "below") });
  expect(below.diagnostics).toMatchObject([{ code: "config-missing" }]);
  const both = await loadConfig({ cwd: path.join(cwd, "both") });
  expect(both.diagnostics).toMatchObject([
    {
      code: "config-ambiguous",
      message: expect.stringContaining(
        "gen.config.json, gen.config.js",
      ) as string,
    },
  ]);
  const other = await loadConfig({ cwd, config: "below/x" });
  expect(other.diagnostics).toMatchObject([{ code: "config-file" }]);
  const missing = await loadConfig({ cwd, config: "none.yaml" });
  expect(missing.diagnostics).toMatchObject([{ code: "config-missing" }]);
});

test("aliases that expand to gigabytes are rejected", async () => {
  const levels = Array.from({ length: 12 }, (_, index) => {
    const list =
      index === 0
        ? "x"
        : Array(10)
            .fill(`*a${index - 1}`)
            .join(", ");
    return `a${index}: &a${index} [${list}]`;
  });
  const { diagnostics } = await load({ "gen.config.yaml": levels.join("\n") });
  expect(diagnostics).toMatchObject([{ code: "config-file" }]);
});

describe("precedence", () => {
  const levels = {
    out: "gen",
    target: ["conformance"],
    importSuffix: "none",
    apis: { "a:b": { target: "server" }, "c:d": {} },
    jobs: [
      { target: "validator", importSuffix: "ts" },
      { out: "two", apis: { "a:b": { target: "client" } } },
      { out: "three", apis: ["c:d"] },
    ],
  };
  const settingsOf = async (
    overrides: LoadOptions["overrides"],
  ): Promise<unknown> => {
    const { resolved } = await loadConfig({
      cwd: "/",
      config: levels as never,
      overrides,
    });
    return resolved?.jobs.map(({ options, apis }) => [
      options.importSuffix,
      ...apis.map(({ settings }) => settings.target.join()),
    ]);
  };

  test("API of the job, API, job, top level", async () => {
    expect(await settingsOf({})).toEqual([
      ["ts", "server", "validator"],
      ["none", "client"],
      ["none", "conformance"],
    ]);
  });

  test("command line and environment before all others", async () => {
    const overrides = { target: ["client", "server"], importSuffix: "js" };
    expect(await settingsOf(overrides)).toEqual([
      ["js", "client,server", "client,server"],
      ["js", "client,server"],
      ["js", "client,server"],
    ]);
  });

  test("a default where no level has a value", async () => {
    const { resolved } = await loadConfig({
      cwd: "/",
      config: { out: "o", apis: { "a:b": null } },
    });
    expect(resolved?.jobs[0]?.apis[0]?.settings).toEqual({
      target: ["client"],
      trustProse: false,
    });
  });
});

test("paths are relative to the config, those of overrides to the working directory", async () => {
  const cwd = temporaryFolder();
  const config = {
    out: "../gen",
    templates: "hbs",
    specs: "docs",
    apis: {
      "a:b": { patches: ["p/a.yaml"], include: ["a.*"] },
      c: { source: "*.json" },
      d: { source: "/abs/d.json" },
      e: { source: "https://x.example/e.json" },
    },
  };
  write(cwd, { "[conf]/gen.config.json": config });
  const { resolved } = await loadConfig({
    cwd,
    config: "[conf]/gen.config.json",
  });
  const [job] = resolved!.jobs;
  expect(job).toMatchObject({
    out: "gen",
    options: { templates: "[conf]/hbs" },
  });
  expect(job!.apis).toMatchObject([
    {
      file: "[conf]/docs/a.b.json",
      isFetched: true,
      patches: ["[conf]/p/a.yaml"],
      settings: { include: ["a.*"] },
    },
    { file: "\\[conf\\]/*.json", isFetched: false },
    { file: "/abs/d.json", isFetched: false },
    {
      file: "[conf]/docs/e.json",
      source: "https://x.example/e.json",
      isFetched: true,
    },
  ]);
  expect(resolved!.lockFile).toBe(path.join(cwd, "[conf]/gen.lock.json"));
  const given = await loadConfig({
    cwd,
    config: "[conf]/gen.config.json",
    overrides: { out: "o" },
  });
  expect(given.resolved!.jobs[0]!.out).toBe("o");
});

test("APIs are selected by name; an unknown name is an error with a suggestion", async () => {
  const config = {
    jobs: [{ out: "a", apis: ["x:v1"] }, { out: "b" }],
    apis: { "x:v1": {}, "drive:v3": {} },
  };
  const one = await loadConfig({ cwd: "/", config, apis: ["drive:v3"] });
  expect(one.resolved).toMatchObject({
    isPartial: true,
    jobs: [{ out: "b", apis: [{ id: "drive:v3" }] }],
  });
  const none = await loadConfig({ cwd: "/", config, apis: ["drvie:v3"] });
  expect(none.resolved).toBeUndefined();
  expect(none.diagnostics).toMatchObject([
    {
      code: "config-api",
      message: "the config has no API drvie:v3 (did you mean drive:v3?)",
    },
  ]);
});
