import { relative, resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { buildSync } from "esbuild";
import { describe, expect, it } from "vitest";

const runtime = resolve("src/runtime/client");

/** Bundles `code` with the parts of the runtime that it needs. */
function bundle(code: string): string {
  const { outputFiles } = buildSync({
    stdin: { contents: code, resolveDir: runtime, loader: "ts" },
    bundle: true,
    minify: true,
    format: "esm",
    write: false,
  });
  return outputFiles[0]!.text;
}

function sizeOf(text: string): number {
  return gzipSync(text, { level: 9 }).length;
}

/**
 * Limits in bytes after gzip, 2% above the sizes at the time of writing: a
 * change that exceeds one must be worth it.
 */
const BARE = 2600;
const RETRIES = 3210;
const FULL = 4670;
const OBJECT = 5930;

const call = `
  import { createBareClient, download, jsonBody, method, tokenPagination } from "./index.js";
  const list = /* @__PURE__ */ method({ id: "unused.list", path: "l",
    body: jsonBody, use: [/* @__PURE__ */ tokenPagination({ items: "files" })] });
  const get = /* @__PURE__ */ method({ id: "drive.files.get",
    path: "files/{fileId}", use: [download] });
  const service = { rootUrl: "https://www.googleapis.com/", servicePath: "drive/v3/",
    batchPath: "batch/drive/v3" };
  const client = createBareClient(service, { auth });
  await get(client, { fileId });`;

/** Text that occurs only in this part of the runtime. */
const markers: Record<string, string> = {
  jsonBody: "application/json",
  tokenPagination: "nextPageToken",
  codecs: "RangeError",
  expandTemplate: "is not a valid expression",
  callable: "getOwnPropertyDescriptors",
  bind: '"descriptor"',
  dataWrapper: '"data"',
  keepReserved: "[\\]@!$&'()*+,;=",
};

describe("a bundle with one call", () => {
  const code = bundle(call);

  it("is small", () => {
    expect(sizeOf(code)).toBeLessThanOrEqual(BARE);
  });

  it("is small with retries, interceptors and locations", () => {
    const full = bundle(call.replaceAll("createBareClient", "createClient"));
    expect(sizeOf(full)).toBeLessThanOrEqual(FULL);
  });

  it("is small with retries", () => {
    const retries = bundle(
      `import { withRetries } from "./with-retries.js";
      ${call.replace(/createBareClient\(.*\)/, "withRetries($&)")}`,
    );
    expect(retries).toContain("retry-after-ms");
    expect(retries).not.toContain("attemptTimeout");
    expect(sizeOf(retries)).toBeLessThanOrEqual(RETRIES);
  });

  it.each([
    ["retry", "retry-after-ms"],
    ["root-url", "universeDomain must"],
    ["upload", "x-upload-content-type"],
    ["operation", "DONE"],
    ["stream", "of the stream is not"],
    ["open-media", "if-range"],
    ["batch", "multipart/mixed"],
    ["scopes", "only$"],
    ["node", "getBuiltinModule"],
    ["memory", "new Request"],
  ])("does not contain %s.ts", (module, marker) => {
    expect(code).not.toContain(marker);
    const all = bundle(
      `import * as all from "./${module}.js"; use({ ...all });`,
    );
    expect(all).toContain(marker);
    expect(bundle(`import "./${module}.js"`).trim()).toBe("");
  });

  it.each(Object.entries(markers))("does not contain %s", (name, marker) => {
    expect(code).not.toContain(marker);
    const names = name === "codecs" ? "int64" : name;
    const all = bundle(`import { ${names} } from "./index.js"; use(${names});`);
    expect(all).toContain(marker);
  });

  it("does not contain unused methods", () => {
    expect(code).toContain("drive.files.get");
    expect(code).not.toContain("unused.list");
  });
});

it("unused imports are removed", () => {
  const names = bundle(
    'import * as all from "./index.js"; use(Object.keys(all))',
  ).length;
  expect(names).toBeGreaterThan(1000);
  expect(bundle('import { int64, method } from "./index.js";').trim()).toBe("");
  expect(bundle('import "./index.js";').trim()).toBe("");
});

it("a codec does not include others", () => {
  const all = bundle('import { int64 } from "./codecs.js"; use(int64)');
  expect(all.length).toBeLessThan(500);
  expect(all).not.toContain("atob");
});

/** Program that calls one method through an object of all methods. */
const object = `
  import { batchesOnDemand } from "./batches-on-demand.js";
  import { bindTable } from "./bind-table.js";
  import { createClient, download, jsonBody, tokenPagination } from "./index.js";
  import { operationOnDemand } from "./operation-on-demand.js";
  import { uploadOnDemand } from "./upload-on-demand.js";
  const parts = [{ body: jsonBody }, { use: [download] },
    { use: [tokenPagination({ items: "files" })] },
    { use: [uploadOnDemand({ simple: "/upload/files" })] },
    { use: [operationOnDemand({ poll: "operations/{name}" })] }];
  const table = "files\\nget GET */{fileId} 1\\nlist GET * 2\\ncreate POST * 0 3\\ncopy POST 9 4";
  const client = createClient({ rootUrl: "https://www.googleapis.com/", servicePath: "" }, { auth });
  const drive = { ...batchesOnDemand(client), ...bindTable(client, "drive.", table, parts) };
  drive.files.get({ fileId }).then(use);`;

describe("an object of methods, in files that are loaded on demand", () => {
  const { outputFiles, metafile } = buildSync({
    stdin: { contents: object, resolveDir: runtime, loader: "ts" },
    bundle: true,
    minify: true,
    splitting: true,
    metafile: true,
    format: "esm",
    outdir: "virtual",
    write: false,
  });
  const texts = new Map(
    outputFiles.map(({ path, text }) => [relative(".", path), text]),
  );
  const entry = Object.keys(metafile.outputs).find(
    (name) => metafile.outputs[name]!.entryPoint === "<stdin>",
  )!;
  const initial = new Set([entry]);
  for (const name of initial)
    for (const { path, kind } of metafile.outputs[name]!.imports)
      if (kind === "import-statement") initial.add(path);
  const code = [...initial].map((name) => texts.get(name)!);

  it("is small", () => {
    const size = code.reduce((sum, text) => sum + sizeOf(text), 0);
    expect(size).toBeLessThanOrEqual(OBJECT);
  });

  it("needs no file that it shares with code loaded on demand", () => {
    expect([...initial]).toEqual([entry]);
  });

  it.each([
    ["uploads", "x-upload-content-type"],
    ["batches", "multipart/mixed"],
    ["waiting", "DONE"],
  ])("loads %s on demand", (_, marker) => {
    expect(code.join("")).not.toContain(marker);
    expect([...texts.values()].join("")).toContain(marker);
  });
});
