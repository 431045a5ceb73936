import { spawn, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { load } from "../../../src/generate/api.js";
import { mock } from "../../../src/index.js";
import { ValueMaker } from "../../../src/mock/values.js";
import type { Api, Method, Resource } from "../../../src/model/ir.js";
import { methodsOf } from "../../../src/model/queries.js";
import { CORPUS } from "../../corpus/support.js";
import { requestTo } from "../../services/mock-requests.js";
import { corpusNames } from "../../support/paths.js";
import { describeOfficial } from "./suite.js";

/** Debian's python3 has Debian's googleapiclient; another python3 may not. */
const PYTHON = "/usr/bin/python3";
const SCRIPT = path.join(import.meta.dirname, "mock_calls.py");

/** Services that are called outside of CI; `CI=true` and `TEST_FULL=1` call all. */
const SHORT = [
  "bigquery.v2",
  "calendar.v3",
  "cloudresourcemanager.v3",
  "dns.v1",
  "drive.v3",
  "gmail.v1",
  "pubsub.v1",
  "storage.v1",
  "tasks.v1",
];

/** Call in the format of mock_calls.py. */
interface PythonCall {
  readonly id: string;
  readonly name: string;
  readonly version: string;
  readonly path: readonly string[];
  readonly parameters: Readonly<Record<string, string>>;
  readonly body: unknown;
  /** Type of the media to upload; null for a method without uploads. */
  readonly upload: string | null;
  readonly download: boolean;
  /** True for a method that can be called in a batch. */
  readonly isBatched: boolean;
}

const isComplete =
  process.env["CI"] === "true" || process.env["TEST_FULL"] === "1";

describeOfficial("googleapiclient (Python) with a mock", missing(), () => {
  test("every method, pages, a batch and uploads", async () => {
    const names = isComplete ? corpusNames() : SHORT;
    const files = names.map((name) => path.join(CORPUS, `${name}.json`));
    const fake = await mock(files, { prefix: true, validateResponses: true });
    onTestFinished(() => fake.close());
    const { rootUrl } = await fake.listen();
    const apis = files.map((file) => load(readFileSync(file), file).api!);
    const calls = apis.flatMap((api) => callsOf(api));
    const hidden = apis.flatMap((api) => hiddenMethods(api.root));
    const results = await runScript(rootUrl, calls);
    const failed = results.filter(({ failure }) => failure !== null);
    console.log(
      `${results.length - failed.length} of ${results.length} calls of ${names.length} services; ${hidden.length} methods can't be called in Python, because a resource has the same name: ${hidden.join(", ")}\n${failed.map(({ name, failure }) => `${name}: ${failure!.slice(0, 300)}`).join("\n")}`,
    );
    const batched = calls.filter(({ isBatched }) => isBatched);
    const services = new Set(
      batched.map(({ name, version }) => `batch of ${name}:${version}`),
    );
    expect(results.map(({ name }) => name)).toEqual([
      ...calls.map(({ id }) => id),
      ...services,
      "pages",
      "batch",
      "uploads",
    ]);
    expect(failed).toEqual([]);
  }, 900_000);
});

function missing(): string | undefined {
  const { status } = spawnSync(PYTHON, ["-c", "import googleapiclient"]);
  return status === 0 ? undefined : "python3-googleapi";
}

function callsOf(api: Api): PythonCall[] {
  const maker = new ValueMaker(
    new Map(api.definitions.map((one) => [one.id, one])),
  );
  const hidden = hiddenMethods(api.root);
  const methods = methodsOf(api.root).filter(({ id }) => !hidden.includes(id));
  return methods.map((method) => {
    const { values, init } = requestTo(method, api, maker);
    const upload = method.upload === undefined ? null : mediaTypeOf(method);
    return {
      id: method.id,
      name: api.name,
      version: api.version,
      path: namesIn(method),
      parameters: values,
      body: typeof init.body === "string" ? JSON.parse(init.body) : null,
      upload,
      // A second POST would create the same resource again.
      download: method.download !== undefined && method.httpMethod !== "POST",
      isBatched:
        api.batchPath !== undefined &&
        method.httpMethod === "GET" &&
        method.rawResponse !== true,
    };
  });
}

/** Type of media that a method accepts. */
function mediaTypeOf({ upload }: Method): string {
  const [accepted = "*/*"] = upload?.accept ?? [];
  return accepted.replace("*/*", "text/plain").replace("/*", "/x-test");
}

/**
 * Ids of methods whose resource contains a resource of the same name, which
 * replaces the method in googleapiclient.
 */
function hiddenMethods({ methods, children }: Resource): string[] {
  const names = new Set(children.map(({ name }) => name));
  return [
    ...methods.filter(({ name }) => names.has(name)).map(({ id }) => id),
    ...children.flatMap(hiddenMethods),
  ];
}

/** Names of the resources and of the method, by their position in the document. */
function namesIn({ pointer }: Method): string[] {
  return pointer
    .split("/")
    .slice(1)
    .filter((_, index) => index % 2 === 1);
}

async function runScript(
  rootUrl: string,
  calls: readonly PythonCall[],
): Promise<{ name: string; failure: string | null }[]> {
  const child = spawn(PYTHON, [SCRIPT, rootUrl], {
    env: { PATH: process.env["PATH"], NO_PROXY: "127.0.0.1" },
    stdio: ["pipe", "pipe", "inherit"],
  });
  child.stdin.end(JSON.stringify(calls));
  let text = "";
  for await (const chunk of child.stdout) text += String(chunk);
  return text
    .trim()
    .split("\n")
    .map(
      (line) => JSON.parse(line) as { name: string; failure: string | null },
    );
}
