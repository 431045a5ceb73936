// Compares bundles of one call: esbuild, minified, gzip. Bytes, equal in each run.
// Floor: fetch without a client. Usage: node bench/families/bundle.mjs
import { writeFileSync } from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { versioned } from "../install.mjs";
import { APIS, generateClients, inFolder } from "../peers.mjs";
import { save } from "../results.mjs";

const CALLS = {
  drive: {
    name: "Drive",
    resource: "files",
    given: '{ fileId: "1" }',
    route: "/drive/v3/files/{fileId}",
    url: "https://www.googleapis.com/drive/v3/files/1",
    sdk: "driveFilesGet",
    limits: { flat: 2.9, bound: 13 },
  },
  compute: {
    name: "Compute",
    resource: "instances",
    given: '{ project: "p", zone: "z", instance: "i" }',
    route: "/compute/v1/projects/{project}/zones/{zone}/instances/{instance}",
    url: "https://compute.googleapis.com/compute/v1/projects/p/zones/z/instances/i",
    sdk: "computeInstancesGet",
    limits: { flat: 2.9, bound: 18 },
  },
};

/** Returns the programs that use our output. */
function ourPrograms(api) {
  const { name, resource, given, limits } = CALLS[api];
  const from = `./ours/${APIS[api].folder}`;
  const flat = (create, wrap = "") =>
    `import { ${create} } from "${from}/service.js";
import { get } from "${from}/resources/${resource}.js";
console.log((await get(${wrap}(${create}({ auth: "token" })), ${given})).name);`;
  const retries = `import { withRetries } from "./ours/runtime/client/with-retries.js";\n`;
  return [
    {
      name: "ours, flat function",
      limit: limits.flat,
      text: flat("createBareClient"),
    },
    {
      name: "ours, flat function, retries",
      text: retries + flat("createBareClient", "withRetries"),
    },
    { name: "ours, flat function, createClient", text: flat("createClient") },
    {
      name: `ours, create${name}`,
      limit: limits.bound,
      text: `import { create${name} } from "${from}/index.js";
console.log((await create${name}({ auth: "token" }).${resource}.get(${given})).name);`,
    },
  ].map((program) => ({ ...program, kind: "ours" }));
}

function programs(api) {
  const { resource, given, route, url, sdk } = CALLS[api];
  const version = APIS[api].folder.split("/")[1];
  return [
    {
      name: "fetch, no client",
      kind: "floor",
      text: `const headers = { authorization: "Bearer token" };
const response = await fetch("${url}", { headers });
if (!response.ok) throw new Error(String(response.status));
console.log((await response.json()).name);`,
    },
    ...ourPrograms(api),
    {
      name: versioned("openapi-fetch"),
      text: `import createClient from "openapi-fetch";
const { data } = await createClient({ headers: { authorization: "Bearer token" } }).GET("${route}", { params: { path: ${given} } });
console.log(data.name);`,
    },
    {
      name: versioned("@hey-api/openapi-ts"),
      text: `import { ${sdk} } from "./hey-api/${api}/sdk.gen";
const { data } = await ${sdk}({ auth: "token", path: ${given} });
console.log(data?.name);`,
    },
    {
      name: versioned(`@googleapis/${api}`),
      text: `import { ${api} } from "@googleapis/${api}";
const { data } = await ${api}({ version: "${version}", auth: "key" }).${resource}.get(${given});
console.log(data.name);`,
    },
  ];
}

/** Returns the bytes of a bundle for Node, which the published client needs. */
async function sizeOf(work, text) {
  const file = path.join(work, "call.ts");
  writeFileSync(file, text);
  const { outputFiles } = await build({
    entryPoints: [file],
    bundle: true,
    minify: true,
    format: "esm",
    platform: "node",
    write: false,
  });
  const [{ contents }] = outputFiles;
  const gzip = gzipSync(contents, { level: 9 }).length;
  return { raw: contents.length / 1000, gzip: gzip / 1000 };
}

async function tableOf(work, api) {
  const rows = [];
  for (const { name, kind, limit, text } of programs(api)) {
    const { raw, gzip } = await sizeOf(work, text);
    const values = { gzip: { median: gzip }, raw: { median: raw } };
    rows.push({ name, kind, limit, values });
  }
  return {
    title: `${APIS[api].title}, ${CALLS[api].resource}.get`,
    label: "client",
    chart: "gzip",
    columns: [
      { key: "gzip", title: "gzip kB", digits: 2 },
      { key: "raw", title: "minified kB", digits: 1 },
    ],
    rows,
  };
}

await inFolder("bundle", async (work) => {
  writeFileSync(path.join(work, "package.json"), '{ "type": "module" }');
  generateClients(work);
  const tables = [];
  for (const api of Object.keys(APIS)) tables.push(await tableOf(work, api));
  await save({
    family: "bundle",
    title: "Bundle of one call (esbuild, minified, gzip)",
    tables,
  });
});
