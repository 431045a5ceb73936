// Compares type checks of a program with one call: complete processes of tsc, in
// alternation. skipLibCheck is on, as in most projects: declarations are not checked,
// source is. Floor: an empty program. Usage: node bench/families/types.mjs [rounds]
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { versioned } from "../install.mjs";
import { APIS, gen, generateClients, inFolder } from "../peers.mjs";
import { ratioOf, save, spreadOf } from "../results.mjs";
import { ROOT, run } from "../support.mjs";

const rounds = Number(process.argv[2] ?? 4);
const COMPILERS = [
  ["TypeScript 6", "ts6"],
  ["TypeScript 7", "typescript"],
];

/**
 * Forms of our output, with a row for each way to call: arguments of gen, folder,
 * limits of the ratio.
 */
const FORMS = [
  {
    name: "ours",
    args: [],
    folder: "ours",
    limits: { drive: 2.5, compute: 3.4 },
  },
  {
    name: "ours, --runtime package",
    args: ["--runtime", "package"],
    folder: "ours-package",
    limits: { drive: 1.5, compute: 2.9 },
  },
  {
    name: "ours, --ts-nocheck all",
    args: ["--ts-nocheck", "all"],
    folder: "ours-unchecked",
    limits: { drive: 1.4, compute: 1.8 },
  },
  {
    name: "ours, --emit js",
    args: ["--emit", "js"],
    folder: "ours-js",
    limits: { drive: 1.25, compute: 1.6 },
  },
].filter(({ args: [option = ""] }) => helpText().includes(option));

/** Returns the help of gen, which has the options of this version. */
function helpText() {
  const args = [path.join(ROOT, "bin/gen.js"), "--help"];
  return spawnSync(process.execPath, args, { encoding: "utf8" }).stdout;
}

/** Call, by API: resource, method and parameters. */
const CALLS = {
  drive: {
    name: "Drive",
    resource: "files",
    given: '{ fileId: "1" }',
    path: "/drive/v3/files/{fileId}",
    sdk: "driveFilesGet",
  },
  compute: {
    name: "Compute",
    resource: "instances",
    given: '{ project: "p", zone: "z", instance: "i" }',
    path: "/compute/v1/projects/{project}/zones/{zone}/instances/{instance}",
    sdk: "computeInstancesGet",
  },
};

/** Returns the programs that use a form of our output. */
function ourPrograms(api, { name, folder, limits }) {
  const { name: title, resource, given } = CALLS[api];
  const from = `./${folder}/${APIS[api].folder}`;
  const kind = "ours";
  const limit = limits[api];
  return [
    {
      name: `${name}, create${title}`,
      kind,
      limit,
      text: `import { create${title} } from "${from}/index.js";
const api = create${title}({ auth: "token" });
const { name } = await api.${resource}.get(${given});
console.log(name);
`,
    },
    {
      name: `${name}, flat function`,
      kind,
      limit,
      text: `import { createClient } from "${from}/service.js";
import { get } from "${from}/resources/${resource}.js";
const { name } = await get(createClient({ auth: "token" }), ${given});
console.log(name);
`,
    },
  ];
}

/** Returns the programs that use other clients. */
function peerPrograms(api) {
  const { resource, given, path: route, sdk } = CALLS[api];
  const version = APIS[api].folder.split("/")[1];
  const gapi = `@maxim_mazurok/gapi.client.${api}-${version}`;
  return [
    {
      name: "gapi.client typings",
      types: [gapi],
      text: `const { result } = await gapi.client.${api}.${resource}.get(${given});
console.log(result.name);
export {};
`,
    },
    {
      name: versioned(`@googleapis/${api}`),
      types: ["node"],
      text: `import { ${api} } from "@googleapis/${api}";
const { data } = await ${api}({ version: "${version}", auth: "key" }).${resource}.get(${given});
console.log(data.name);
`,
    },
    {
      name: versioned("@hey-api/openapi-ts"),
      moduleResolution: "bundler",
      text: `import { ${sdk} } from "./hey-api/${api}/sdk.gen";
const { data } = await ${sdk}({ path: ${given} });
console.log(data?.name);
`,
    },
    {
      name: versioned("openapi-fetch"),
      text: `import createClient from "openapi-fetch";
import type { paths } from "./openapi-typescript/${api}/schema.js";
const { data } = await createClient<paths>().GET("${route}", { params: { path: ${given} } });
if (typeof data === "object") console.log(data.name);
`,
    },
  ];
}

/**
 * Runs tsc. TypeScript 7 is a native program that a script starts, so the usage is
 * that of both, from GNU time where it is installed.
 */
function check(tsc, config) {
  const node = [process.execPath, tsc, "-p", config];
  const hasTime = existsSync(TIME);
  const args = hasTime ? ["-f", "USAGE %U %S %M", ...node] : node.slice(1);
  const start = process.hrtime.bigint();
  const command = hasTime ? TIME : process.execPath;
  const child = spawnSync(command, args, { encoding: "utf8" });
  const wall = Number(process.hrtime.bigint() - start) / 1e9;
  if (child.status !== 0) throw new Error(`${config}: ${child.stdout}`);
  const usage = /USAGE (\S+) (\S+) (\S+)/.exec(child.stderr);
  if (usage === null) return { wall };
  const [user, system, peak] = usage.slice(1).map(Number);
  return { wall, cpu: user + system, peak: peak / 1024 };
}

const TIME = "/usr/bin/time";

/** Writes a program and its config; returns the path of the config. */
function write(work, api, { name, text, types = [], moduleResolution }) {
  const file = path.join(work, `${api}-${name.replace(/\W+/g, "-")}.ts`);
  writeFileSync(file, text);
  const isBundled = moduleResolution !== undefined;
  const compilerOptions = {
    target: "ES2022",
    lib: ["ES2022", "DOM"],
    module: isBundled ? "preserve" : "NodeNext",
    moduleResolution: moduleResolution ?? "NodeNext",
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types,
  };
  const config = { compilerOptions, files: [file] };
  writeFileSync(`${file}.json`, JSON.stringify(config));
  return `${file}.json`;
}

function tableOf(work, api, [title, compiler]) {
  const programs = [
    { name: "empty program", kind: "floor", text: "export {};\n" },
    ...FORMS.flatMap((form) => ourPrograms(api, form)),
    ...peerPrograms(api),
  ];
  const tsc = path.join(ROOT, "node_modules", compiler, "bin/tsc");
  const configs = programs.map((program) => write(work, api, program));
  const results = programs.map(() => []);
  for (const config of configs) check(tsc, config);
  for (let round = 0; round < rounds; round++)
    configs.forEach((config, index) => results[index].push(check(tsc, config)));
  const values = (index, key) => results[index].map((usage) => usage[key]);
  return {
    title: `${APIS[api].title}, ${title}`,
    label: "client",
    chart: "ratio",
    columns: COLUMNS,
    rows: programs.map(({ name, kind, limit }, index) => ({
      name,
      kind,
      limit,
      values: {
        ratio: ratioOf(values(index, "wall"), values(0, "wall")),
        wall: spreadOf(values(index, "wall")),
        ...(results[index][0].cpu !== undefined && {
          cpu: spreadOf(values(index, "cpu")),
          peak: { median: Math.max(...values(index, "peak")) },
        }),
      },
    })),
  };
}

const COLUMNS = [
  { key: "ratio", title: "wall time ÷ empty program", digits: 2 },
  { key: "wall", title: "wall s", digits: 2 },
  { key: "cpu", title: "CPU s", digits: 2 },
  { key: "peak", title: "peak MiB", digits: 0 },
];

await inFolder("types", async (work) => {
  writeFileSync(path.join(work, "package.json"), '{ "type": "module" }');
  generateClients(work);
  // Output with `--runtime package` imports this package.
  mkdirSync(path.join(work, "node_modules"));
  symlinkSync(
    path.join(ROOT, "dist/runtime-package"),
    path.join(work, "node_modules/discovery-codegen-runtime"),
  );
  for (const { args, folder } of FORMS)
    for (const api of Object.keys(APIS))
      run(gen(api, path.join(work, folder), ...args));
  const tables = COMPILERS.flatMap((compiler) =>
    Object.keys(APIS).map((api) => tableOf(work, api, compiler)),
  );
  await save({
    family: "types",
    title: "Type check of one call with skipLibCheck, empty program = 1",
    tables,
  });
});
