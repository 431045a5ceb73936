import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { ts } from "ts-morph";
import { afterAll, beforeAll, expect, test } from "vitest";
import { gen } from "../cli/support.js";
import { ROOT } from "../support/paths.js";

/**
 * `gen migrate googleapis`: each program runs with googleapis, is migrated, and runs
 * with generated clients. A server records the requests of both.
 */
const SOURCES = path.join(ROOT, "test/conformance/googleapis");
const CORPUS = path.join(ROOT, "../shared/corpus");
const APIS = [
  "drive.v3",
  "tasks.v1",
  "calendar.v3",
  "sheets.v4",
  "gmail.v1",
  "youtube.v3",
  "storage.v1",
  "bigquery.v2",
  "people.v1",
  "compute.v1",
];
const hasCorpus = APIS.every((api) =>
  existsSync(path.join(CORPUS, `${api}.json`)),
);
if (!hasCorpus) console.log(`skipped: the documents of ${CORPUS} are missing`);

const PROGRAMS = readdirSync(path.join(SOURCES, "programs")).map((name) =>
  name.slice(0, -".ts".length),
);

// Programs resolve googleapis from a folder of the checkout.
const folder = hasCorpus
  ? mkdtempSync(path.join(ROOT, "node_modules/.migration-"))
  : "";
let requests: string[] = [];
const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    const url = new URL(request.url!, "http://localhost");
    const { headers } = request;
    const type = headers["content-type"] ?? "";
    const boundary = /boundary="?([^";]+)/.exec(type)?.[1];
    const plain = (text: string): string =>
      boundary === undefined ? text : text.replaceAll(boundary, "BOUNDARY");
    const key = headers["x-goog-api-key"] ?? url.searchParams.get("key") ?? "";
    // Generated clients also send a requestId if the method declares one, so that
    // a retry has no second effect.
    for (const name of ["key", "alt", "prettyPrint", "requestId"])
      url.searchParams.delete(name);
    url.searchParams.sort();
    const body = plain(Buffer.concat(chunks).toString());
    requests.push(
      JSON.stringify([
        request.method,
        `${url.pathname}?${url.searchParams.toString().replaceAll("%2C+", "%2C")}`,
        key,
        body === "" ? "" : plain(type).split(";")[0],
        body.startsWith("{") ? JSON.parse(body) : normalParts(body),
        headers["x-trace"],
        headers["x-team"],
      ]),
    );
    const isMissing = url.pathname.includes("/missing");
    const isMedia = request.url!.includes("alt=media");
    const value = isMissing
      ? { error: { code: 404, message: "not found", errors: [] } }
      : {
          id: "1",
          name: "one",
          user: { displayName: "Ada" },
          ...(url.searchParams.has("pageToken") ? {} : { nextPageToken: "2" }),
          ...Object.fromEntries(
            ["files", "items", "messages"].map((list) => [
              list,
              [{ id: "f", name: url.searchParams.get("pageToken") ?? "first" }],
            ]),
          ),
        };
    response.writeHead(isMissing ? 404 : 200, {
      "content-type": isMedia ? "text/plain" : "application/json",
    });
    response.end(isMedia ? "content" : JSON.stringify(value));
  });
});

/** Removes differences of multipart bodies without meaning. */
function normalParts(body: string): string {
  return body
    .replaceAll("\r\n", "\n")
    .replace(/content-type: application\/json[^\n]*/gi, "content-type: json")
    .replace(/content-type:/gi, "content-type:")
    .trim();
}

beforeAll(async () => {
  if (!hasCorpus) return;
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  for (const name of ["original", "migrated"])
    mkdirSync(path.join(folder, name, "src"), { recursive: true });
  const migrated = path.join(folder, "migrated");
  mkdirSync(path.join(migrated, "specs"));
  writeFileSync(
    path.join(migrated, "gen.config.json"),
    JSON.stringify({
      out: "src/generated",
      emit: "js",
      apis: Object.fromEntries(
        APIS.map((api) => [
          api.replace(".", ":"),
          { source: `./specs/${api}.json` },
        ]),
      ),
    }),
  );
  for (const api of APIS)
    copyFileSync(
      path.join(CORPUS, `${api}.json`),
      path.join(migrated, `specs/${api}.json`),
    );
  for (const name of ["original", "migrated"]) {
    writeFileSync(path.join(folder, name, "package.json"), `{"type":"module"}`);
    for (const program of PROGRAMS)
      copyFileSync(
        path.join(SOURCES, `programs/${program}.ts`),
        path.join(folder, name, `src/${program}.ts`),
      );
  }
  expect(gen([], { cwd: migrated }).status).toBe(0);
}, 300_000);

afterAll(() => {
  server.close();
  if (hasCorpus) rmSync(folder, { recursive: true, force: true });
});

/** Runs a program; returns its output and requests. */
async function run(name: string, program: string): Promise<object> {
  requests = [];
  const { port } = server.address() as AddressInfo;
  const cwd = path.join(folder, name);
  const source = readFileSync(path.join(cwd, `src/${program}.ts`), "utf8");
  const { outputText } = ts.transpileModule(source, {
    compilerOptions: {
      module: ts.ModuleKind.ESNext,
      target: ts.ScriptTarget.ES2022,
    },
  });
  writeFileSync(path.join(cwd, `src/${program}.js`), outputText);
  const child = spawn(
    process.execPath,
    [
      "--no-warnings",
      "--import",
      path.join(SOURCES, "recorder.mjs"),
      `src/${program}.js`,
    ],
    {
      cwd,
      env: {
        PATH: process.env["PATH"],
        RECORDER: `http://127.0.0.1:${port}`,
        API_KEY: "key",
        FOLDER: cwd,
      },
    },
  );
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (output += chunk.toString()));
  await once(child, "close");
  return { output, requests: [...requests].sort() };
}

test.runIf(hasCorpus)(
  "programs are migrated without undecided positions",
  () => {
    const cwd = path.join(folder, "migrated");
    const args = ["migrate", "googleapis", "src/*.ts"];
    const dry = gen(args, { cwd });
    expect(dry.stderr).toContain("0 undecided positions");
    expect(dry.stdout).toContain("+const drive = createDrive(");
    const written = gen([...args, "--write", "--report", "report.json"], {
      cwd,
    });
    expect(written.status).toBe(0);
    const report = JSON.parse(
      readFileSync(path.join(cwd, "report.json"), "utf8"),
    ) as { files: { edits: number }[] };
    expect(report.files).toHaveLength(PROGRAMS.length);
    for (const { edits } of report.files) expect(edits).toBeGreaterThan(0);
    // A second run has nothing to do.
    expect(gen(args, { cwd })).toMatchObject({ status: 0, stdout: "" });
  },
);

test.runIf(hasCorpus).each(PROGRAMS)(
  "%s sends equal requests",
  async (program) => {
    const original = await run("original", program);
    expect(original).not.toMatchObject({ requests: [] });
    expect(await run("migrated", program)).toEqual(original);
  },
);
