import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
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
 * Limits in bytes after gzip, up to 10 % above the sizes. Credentials objects cost 20 bytes, observeCall and
 * the default timeout 80.
 */
const BARE = 2_900;
const RETRIES = 3_740;
const FULL = 5_120;
const OBJECT = 11_650;

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
    expect(sizeOf(retries)).toBeLessThanOrEqual(RETRIES);
  });

  it.each([
    ["retry", "retry-after-ms"],
    ["client", "universeDomain must"],
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
  import { batches } from "./batch.js";
  import { bind, createClient, download, jsonBody, tokenPagination } from "./index.js";
  import { operation } from "./operation.js";
  import { upload } from "./upload.js";
  const methods = () => ({ files: {
    copy: ["POST", "files/{fileId}/copy", { body: jsonBody },
      operation({ poll: "operations/{name}" })],
    create: ["POST", "files", { body: jsonBody }, upload({ simple: "/upload/files" })],
    get: ["GET", "files/{fileId}", download],
    list: ["GET", "files", tokenPagination({ items: "files" })] } });
  export function createDrive(options) {
    const client = createClient({ rootUrl: "https://www.googleapis.com/", servicePath: "" }, options);
    return { ...batches(client), ...bind(client, "drive.", methods()) };
  }`;

describe("an object of methods", () => {
  it("is small", () => {
    const code = bundle(object);
    expect(sizeOf(code)).toBeLessThanOrEqual(OBJECT);
    for (const marker of ["x-upload-content-type", "multipart/mixed", "DONE"])
      expect(code).toContain(marker);
  });

  it("is removed from a program that does not use it", () => {
    expect(bundle(object.replace("export ", "")).trim()).toBe("");
  });
});

// The suffix of a relative import() would differ from that of other imports,
// and service workers do not support import().
it("modules import each other statically", () => {
  const files = readdirSync(runtime, { encoding: "utf8", recursive: true });
  const modules = files.filter((file) => file.endsWith(".ts"));
  expect(modules.length).toBeGreaterThan(40);
  expect(modules.length).toBeLessThanOrEqual(75);
  for (const file of modules)
    expect(readFileSync(join(runtime, file), "utf8"), file).not.toMatch(
      /\bimport\(\s*["'`.]/,
    );
});
