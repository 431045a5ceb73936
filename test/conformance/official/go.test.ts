import { execFile, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { load } from "../../../src/generate/api.js";
import { mock } from "../../../src/index.js";
import type { Api, Method } from "../../../src/model/ir.js";
import { methodsOf } from "../../../src/model/queries.js";
import { ValueMaker } from "../../../src/mock/values.js";
import { CORPUS } from "../../corpus/support.js";
import { requestTo } from "../../services/mock-requests.js";
import { ROOT, corpusNames } from "../../support/paths.js";
import { describeOfficial } from "./suite.js";

/** Folder of Debian's package golang-google-api-dev. */
const GOPATH = "/usr/share/gocode";
const API = path.join(GOPATH, "src/google.golang.org/api");

/**
 * Services that are called outside of CI. `CI=true` and `TEST_FULL=1` call every
 * service of the package whose document the corpus has, which takes minutes to
 * compile.
 */
const SHORT = [
  "bigquery.v2",
  "calendar.v3",
  "dns.v1",
  "drive.v3",
  "gmail.v1",
  "pubsub.v1",
  "storage.v1",
  "tasks.v1",
];

/** Methods that fail for a reason that is not in the mock. */
const KNOWN: Readonly<Record<string, string>> = {
  "chromeuxreport.records.queryRecord":
    "the package expects numbers where the newer document allows any value",
  "datafusion.projects.locations.instances.dnsPeerings.list":
    "the package has a path that the document no longer has",
  "fusiontables.table.insert":
    "Go omits false, and the document requires isExportable",
  "fusiontables.table.update":
    "Go omits false, and the document requires isExportable",
};

/** Call in the format of checks.go. */
interface GoCall {
  readonly Service: string;
  readonly Endpoint: string;
  readonly Method: string;
  readonly Path: readonly string[];
  readonly Args: readonly string[];
  readonly Query: Readonly<Record<string, string>>;
  readonly Body: unknown;
}

const isComplete =
  process.env["CI"] === "true" || process.env["TEST_FULL"] === "1";

describeOfficial("google.golang.org/api (Go)", missing(), () => {
  test("every method decodes the response of a mock", async () => {
    const names = isComplete ? packagedNames() : SHORT;
    const apis = names.map((name) => {
      const text = readFileSync(path.join(CORPUS, `${name}.json`), "utf8");
      return { name, api: load(text, name).api! };
    });
    const program = await buildProgram(names);
    const files = names.map((name) => path.join(CORPUS, `${name}.json`));
    const fake = await mock(files, { prefix: true, validateResponses: true });
    onTestFinished(() => fake.close());
    const { rootUrl } = await fake.listen();
    const calls = apis.flatMap(({ api }) => callsOf(api));
    const results = await runProgram(program, rootUrl, calls);
    expect(results).toHaveLength(calls.length);
    const called = results.filter(
      ({ Outcome }) => !Outcome.startsWith("absent"),
    );
    const failed = called.filter(({ Outcome }) => Outcome !== "ok");
    console.log(
      `${called.length - failed.length} of ${called.length} calls of ${names.length} services; ${results.length - called.length} methods are not in the package\n${failed.map(({ Method, Outcome }) => `${Method}: ${Outcome.slice(0, 300)}`).join("\n")}`,
    );
    expect(called.length).toBeGreaterThan(results.length * 0.7);
    expect(failed.filter(({ Method }) => !(Method in KNOWN))).toEqual([]);
  }, 900_000);
});

/** Lists missing requirements of the machine. */
function missing(): string | undefined {
  if (spawnSync("go", ["version"]).status !== 0) return "golang-go";
  return existsSync(API) ? undefined : "golang-google-api-dev";
}

/** Path of the Go package of a document. */
function packageOf(name: string): string {
  const [api, ...version] = name.split(".");
  return `${api}/${version.join(".")}`;
}

function packagedNames(): string[] {
  return corpusNames().filter((name) =>
    existsSync(path.join(API, packageOf(name))),
  );
}

/** Compiles checks.go with the packages of the services. */
async function buildProgram(names: readonly string[]): Promise<string> {
  const folder = path.join(ROOT, ".tmp/go");
  mkdirSync(folder, { recursive: true });
  const imports = names.map(
    (name, index) => `p${index} "google.golang.org/api/${packageOf(name)}"`,
  );
  const cases = names.map(
    (name, index) =>
      `case ${JSON.stringify(packageOf(name))}: return p${index}.NewService(ctx, option.WithEndpoint(url), option.WithHTTPClient(client))`,
  );
  writeFileSync(
    path.join(folder, "services.go"),
    `package main\nimport (\n"context"\n"fmt"\n"net/http"\n"google.golang.org/api/option"\n${imports.join("\n")}\n)\nfunc create(ctx context.Context, name, url string, client *http.Client) (interface{}, error) {\nswitch name {\n${cases.join("\n")}\n}\nreturn nil, fmt.Errorf("unknown service %s", name)\n}\n`,
  );
  writeFileSync(
    path.join(folder, "checks.go"),
    readFileSync(path.join(import.meta.dirname, "checks.go")),
  );
  const program = path.join(folder, "checks");
  await promisify(execFile)(
    "go",
    ["build", "-o", program, "checks.go", "services.go"],
    {
      cwd: folder,
      env: {
        ...process.env,
        GOPATH,
        GO111MODULE: "off",
        GOCACHE: path.join(folder, "cache"),
        GOFLAGS: "",
      },
    },
  );
  return program;
}

function callsOf(api: Api): GoCall[] {
  const maker = new ValueMaker(
    new Map(api.definitions.map((one) => [one.id, one])),
  );
  return methodsOf(api.root).map((method) => callOf(api, method, maker));
}

function callOf(api: Api, method: Method, maker: ValueMaker): GoCall {
  const { values, init } = requestTo(method, api, maker);
  const required = method.parameters
    .filter(({ name, location }) => location === "path" || name in values)
    .map(({ name }) => name);
  const inPath = method.tokens.flatMap((token) =>
    "name" in token ? [token.name] : [],
  );
  const order = orderOf(api, method) ?? inPath;
  return {
    Service: `${api.name}/${api.version}`,
    // The endpoint of a Go client contains the service path.
    Endpoint: `${api.name}/${api.version}/${api.servicePath}`,
    Method: method.id,
    Path: namesIn(method),
    Args: order
      .filter((name) => required.includes(name))
      .map((name) => values[name] ?? ""),
    Query: Object.fromEntries(
      Object.entries(values).filter(([name]) => !order.includes(name)),
    ),
    Body: typeof init.body === "string" ? JSON.parse(init.body) : null,
  };
}

/** `parameterOrder` of a method in its document. */
function orderOf(api: Api, { pointer }: Method): readonly string[] | undefined {
  const text = readFileSync(
    path.join(CORPUS, `${api.name}.${api.version}.json`),
    "utf8",
  );
  let found: unknown = (documents[api.name + api.version] ??= JSON.parse(text));
  for (const token of pointer.split("/").slice(1))
    found = (found as Record<string, unknown>)[
      token.replace(/~1/g, "/").replace(/~0/g, "~")
    ];
  return (found as { parameterOrder?: string[] }).parameterOrder;
}

const documents: Record<string, unknown> = {};

interface GoResult {
  readonly Method: string;
  readonly Outcome: string;
}

/** Names of the resources and of the method, by their position in the document. */
function namesIn({ pointer }: Method): string[] {
  return pointer
    .split("/")
    .slice(1)
    .filter((_, index) => index % 2 === 1);
}

async function runProgram(
  program: string,
  rootUrl: string,
  calls: readonly GoCall[],
): Promise<GoResult[]> {
  const child = spawn(program, [rootUrl], {
    env: { NO_PROXY: "127.0.0.1" },
    stdio: ["pipe", "pipe", "inherit"],
  });
  child.stdin.end(JSON.stringify(calls));
  let text = "";
  for await (const chunk of child.stdout) text += String(chunk);
  return text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as GoResult);
}
