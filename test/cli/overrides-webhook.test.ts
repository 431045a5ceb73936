import { spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { transformSync } from "esbuild";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parse } from "yaml";
import { VALID_13 } from "../support/overrides.js";
import { ROOT } from "../support/paths.js";

// Runs the admission webhook of docs/overrides.md, in a folder that contains only
// the webhook and the generated validator.

const GUIDE = readFileSync(path.join(ROOT, "docs/overrides.md"), "utf8");

/** Returns the code block of the guide that begins with a text. */
function blockOf(language: string, start: string): string {
  const at = GUIDE.indexOf(`\`\`\`${language}\n${start}`);
  expect(at, start).toBeGreaterThan(0);
  const from = GUIDE.indexOf("\n", at) + 1;
  return GUIDE.slice(from, GUIDE.indexOf("\n```\n", from));
}

let webhook: ChildProcess;
let url: string;
let cwd: string;

beforeAll(async () => {
  cwd = mkdtempSync(path.join(tmpdir(), "gen-webhook-"));
  const rules = path.join(ROOT, "generated/overrides/v1.3/rules.ts");
  const { code } = transformSync(readFileSync(rules, "utf8"), { loader: "ts" });
  writeFileSync(path.join(cwd, "package.json"), '{ "type": "module" }');
  writeFileSync(path.join(cwd, "rules.js"), code);
  writeFileSync(path.join(cwd, "webhook.mjs"), blockOf("js", "// webhook.mjs"));
  webhook = spawn(process.execPath, ["webhook.mjs"], {
    cwd,
    env: { ...process.env, PORT: "0" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const port = await new Promise<string>((resolve, reject) => {
    webhook.on("error", reject);
    webhook.on("exit", (status) => reject(new Error(`exit ${status}`)));
    webhook.stdout!.on("data", (text: Buffer) => {
      const [, found] = /listening on port (\d+)/.exec(text.toString()) ?? [];
      if (found !== undefined) resolve(found);
    });
  });
  url = `http://127.0.0.1:${port}/`;
});

afterAll(() => {
  webhook.kill();
  rmSync(cwd, { recursive: true });
});

interface Review {
  readonly apiVersion: string;
  readonly kind: string;
  readonly response: {
    readonly uid: string;
    readonly allowed: boolean;
    readonly warnings?: readonly string[];
    readonly status?: { readonly message: string };
  };
}

const post = (body: string): Promise<Response> =>
  fetch(url, { method: "POST", body });

/** Sends the review of a ConfigMap, as Kubernetes sends it. */
async function review(data: object | undefined): Promise<Review> {
  const response = await post(
    JSON.stringify({
      apiVersion: "admission.k8s.io/v1",
      kind: "AdmissionReview",
      request: {
        uid: "705ab4f5-6393-11e8-b7cc-42010a800002",
        kind: { group: "", version: "v1", kind: "ConfigMap" },
        resource: { group: "", version: "v1", resource: "configmaps" },
        namespace: "apigee",
        operation: "CREATE",
        object: data && { apiVersion: "v1", kind: "ConfigMap", data },
        oldObject: null,
        dryRun: false,
      },
    }),
  );
  expect(response.status).toBe(200);
  const result = (await response.json()) as Review;
  expect(result).toMatchObject({
    apiVersion: "admission.k8s.io/v1",
    kind: "AdmissionReview",
    response: { uid: "705ab4f5-6393-11e8-b7cc-42010a800002" },
  });
  return result;
}

const overrides = (value: unknown): object => ({
  "overrides.json": JSON.stringify(value),
});

test("allows a valid file with its warnings, and other ConfigMaps", async () => {
  const value = parse(VALID_13) as Record<string, unknown>;
  value["cassandra"] = { replicaCount: 3 };
  const { response } = await review(overrides(value));
  expect(response.status).toBeUndefined();
  expect(response.allowed).toBe(true);
  expect(response.warnings?.join("\n")).toContain("X13 ");
  expect((await review({ other: "text" })).response.allowed).toBe(true);
  expect((await review(undefined)).response.allowed).toBe(true);
});

test("rejects a file with errors, and lists them", async () => {
  const value = {
    ...(parse(VALID_13) as object),
    cassandra: { replicaCount: 2, auth: { admin: { pasword: "hunter2" } } },
    runtime: { replicaCountMin: 4, replicaCountMax: 2 },
  };
  const { response } = await review(overrides(value));
  expect(response.allowed).toBe(false);
  const message = response.status!.message;
  expect(message).toContain("X06 /runtime/replicaCountMin: ");
  expect(message).toContain("X08 /cassandra/replicaCount: ");
  expect(message).toContain("T01 /cassandra/auth/admin/pasword: ");
  expect(message).not.toContain("hunter2");
});

test("rejects text that is not JSON, and requests that are not reviews", async () => {
  const { response } = await review({ "overrides.json": "org: example" });
  expect(response).toMatchObject({
    allowed: false,
    status: { message: "overrides.json must be JSON" },
  });
  for (const body of ["", "{", "null", "5", "{}"])
    expect((await post(body)).status).toBe(400);
  const large = await post(" ".repeat(3 * 1024 * 1024 + 1)).then(
    ({ status }) => status,
    () => 413, // The connection may close while the rest of the body is sent.
  );
  expect(large).toBe(413);
  expect((await review({})).response.allowed).toBe(true);
});

test("the configuration registers the webhook for ConfigMaps", () => {
  const text = blockOf("yaml", "apiVersion: admissionregistration.k8s.io/v1");
  expect(parse(text)).toMatchObject({
    kind: "ValidatingWebhookConfiguration",
    webhooks: [
      {
        admissionReviewVersions: ["v1"],
        sideEffects: "None",
        rules: [{ resources: ["configmaps"] }],
      },
    ],
  });
});
