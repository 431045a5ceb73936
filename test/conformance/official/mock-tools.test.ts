import { execFile, spawnSync } from "node:child_process";
import {
  existsSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { mock, type Mock, type MockOptions } from "../../../src/index.js";
import { CORPUS } from "../../corpus/support.js";
import { describeOfficial } from "./suite.js";

/** Prints the description of an API, made from gcloud's client. */
const DESCRIBE = path.join(import.meta.dirname, "gcloud_description.py");

/** APIs that the corpus does not contain. */
const OF_GCLOUD = ["container", "redis", "serviceusage"];

/** Command-line tools against a mock that starts empty. */
describeOfficial("command-line tools with a mock", missing("rclone"), () => {
  const fakes: Mock[] = [];
  let folder: string;
  let rootUrl: string;
  /** Root URL of the APIs that gcloud describes, each below a prefix. */
  let gcloudUrl: string;

  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), "gen-tools-"));
    const names = ["bigquery.v2", "compute.v1", "pubsub.v1", "storage.v1"];
    rootUrl = await start(
      names.map((name) => path.join(CORPUS, `${name}.json`)),
    );
    const described = await describeGcloud(folder);
    // container and redis have conflicting paths.
    if (described.length > 0)
      gcloudUrl = await start(described, { prefix: true });
    writeFileSync(path.join(folder, "up.txt"), "hello\n");
    writeFileSync(path.join(folder, "rows.csv"), "a,1\nb,2\n");
    writeFileSync(path.join(folder, "token"), "none");
  });
  afterAll(async () => {
    await Promise.all(fakes.map((fake) => fake.close()));
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  });

  async function start(
    files: readonly string[],
    options: MockOptions = {},
  ): Promise<string> {
    const fake = await mock(files, {
      empty: true,
      validateResponses: true,
      ...options,
    });
    fakes.push(fake);
    return (await fake.listen()).rootUrl;
  }

  /** Runs a tool without the user's settings; throws if it fails. */
  async function run(tool: string, ...args: string[]): Promise<string> {
    const { stdout } = await promisify(execFile)(tool, args, {
      cwd: folder,
      timeout: 120_000,
      env: {
        PATH: process.env["PATH"],
        HOME: folder,
        NO_PROXY: "127.0.0.1",
        RCLONE_CONFIG: path.join(folder, "none"),
        RCLONE_CONFIG_GCS_TYPE: "google cloud storage",
        RCLONE_CONFIG_GCS_ANONYMOUS: "true",
        RCLONE_CONFIG_GCS_PROJECT_NUMBER: "p",
        RCLONE_CONFIG_GCS_ENDPOINT: `${rootUrl}storage/v1/`,
        CLOUDSDK_CONFIG: path.join(folder, "gcloud"),
        CLOUDSDK_CORE_DISABLE_PROMPTS: "1",
        CLOUDSDK_CORE_PROJECT: "p",
        CLOUDSDK_AUTH_ACCESS_TOKEN_FILE: path.join(folder, "token"),
        CLOUDSDK_API_ENDPOINT_OVERRIDES_COMPUTE: `${rootUrl}compute/v1/`,
        CLOUDSDK_API_ENDPOINT_OVERRIDES_CONTAINER: `${gcloudUrl}container/v1/`,
        CLOUDSDK_API_ENDPOINT_OVERRIDES_PUBSUB: rootUrl,
        CLOUDSDK_API_ENDPOINT_OVERRIDES_REDIS: `${gcloudUrl}redis/v1/`,
        CLOUDSDK_API_ENDPOINT_OVERRIDES_SERVICEUSAGE: `${gcloudUrl}serviceusage/v1/`,
        CLOUDSDK_API_ENDPOINT_OVERRIDES_STORAGE: `${rootUrl}storage/v1/`,
      },
    });
    return stdout;
  }

  test("rclone copies a file up and down", async () => {
    await run("rclone", "mkdir", "gcs:clone");
    await run("rclone", "copyto", "up.txt", "gcs:clone/a/up.txt");
    const list = ["lsf", "-R", "--files-only", "gcs:clone"];
    expect(await run("rclone", ...list)).toBe("a/up.txt\n");
    await run("rclone", "copyto", "gcs:clone/a/up.txt", "rclone.txt");
    const down = readFileSync(path.join(folder, "rclone.txt"), "utf8");
    expect(down).toBe("hello\n");
    await run("rclone", "deletefile", "gcs:clone/a/up.txt");
    expect(await run("rclone", ...list)).toBe("");
  });

  if (missing("gcloud") === undefined) {
    test("gcloud compute creates, lists and deletes a network", async () => {
      const networks = ["compute", "networks"];
      await run("gcloud", ...networks, "create", "n1", "--subnet-mode=custom");
      expect(await run("gcloud", ...networks, "list")).toContain("n1");
      await run("gcloud", ...networks, "delete", "n1", "--quiet");
      expect(await run("gcloud", ...networks, "list")).not.toContain("n1");
    }, 300_000);

    test("gcloud storage copies a file up and down", async () => {
      await run("gcloud", "storage", "buckets", "create", "gs://bu");
      await run("gcloud", "storage", "cp", "up.txt", "gs://bu/up.txt");
      const shown = await run("gcloud", "storage", "cat", "gs://bu/up.txt");
      expect(shown).toBe("hello\n");
      await run("gcloud", "storage", "cp", "gs://bu/up.txt", "down.txt");
      const down = readFileSync(path.join(folder, "down.txt"), "utf8");
      expect(down).toBe("hello\n");
      await run("gcloud", "storage", "rm", "gs://bu/up.txt");
    }, 300_000);

    test("gcloud pubsub creates a topic and publishes a message", async () => {
      await run("gcloud", "pubsub", "topics", "create", "t1");
      const publish = ["pubsub", "topics", "publish", "t1", "--message=a"];
      const ids = await run("gcloud", ...publish, "--format=value(messageIds)");
      expect(ids).toMatch(/^\w+\n$/);
      await run("gcloud", "pubsub", "topics", "delete", "t1");
    }, 300_000);
  } else console.info("gcloud: not tested, it is not installed");

  if (sdkPython() !== undefined) {
    test("gcloud container creates, lists and deletes a cluster", async () => {
      const clusters = ["container", "clusters"];
      const zone = "--zone=us-central1-a";
      await run("gcloud", ...clusters, "create", "c1", zone);
      const list = [...clusters, "list", "--format=value(name,status)"];
      expect(await run("gcloud", ...list)).toBe("c1\tRUNNING\n");
      await run("gcloud", ...clusters, "delete", "c1", zone);
      expect(await run("gcloud", ...list)).toBe("");
    }, 300_000);

    test("gcloud redis creates, lists and deletes an instance", async () => {
      const instances = ["redis", "instances"];
      const region = "--region=us-central1";
      await run("gcloud", ...instances, "create", "r1", region, "--size=1");
      const list = [...instances, "list", region, "--format=value(name,state)"];
      expect(await run("gcloud", ...list)).toBe("r1\tREADY\n");
      await run("gcloud", ...instances, "delete", "r1", region);
      expect(await run("gcloud", ...list)).toBe("");
    }, 300_000);
  } else
    console.info(
      "gcloud container, gcloud redis: not tested, gcloud's Python is not installed",
    );

  if (missing("bq") === undefined)
    test("bq makes, loads, queries, lists and removes tables", async () => {
      const bq = (...args: string[]): Promise<string> =>
        run(
          "bq",
          `--api=${rootUrl.slice(0, -1)}`,
          "--project_id=p",
          "--oauth_access_token=none",
          ...args,
        );
      await bq("mk", "d1");
      await bq("mk", "-t", "d1.t1", "name:string,n:integer");
      await bq("load", "d1.t1", "rows.csv");
      expect(await bq("ls")).toContain("d1");
      expect(await bq("ls", "d1")).toContain("t1");
      await bq("query", "--use_legacy_sql=false", "select 1");
      await bq("rm", "-f", "-t", "d1.t1");
      await bq("rm", "-f", "d1");
      expect(await bq("ls")).not.toContain("d1");
    }, 300_000);
  else console.info("bq: not tested, it is not installed");
});

function missing(tool: string): string | undefined {
  const { error } = spawnSync(tool, ["--version"], { timeout: 60_000 });
  return error === undefined ? undefined : tool;
}

/** Folder of gcloud's SDK. */
function sdkRoot(): string | undefined {
  const { stdout = "" } = spawnSync("sh", ["-c", "command -v gcloud"], {
    encoding: "utf8",
  });
  const program = stdout.trim();
  return program === ""
    ? undefined
    : path.dirname(path.dirname(realpathSync(program)));
}

/** Python that the SDK contains; its clients need the same version. */
function sdkPython(): string | undefined {
  const root = sdkRoot();
  const python = `${root}/platform/bundledpythonunix/bin/python3`;
  return root !== undefined && existsSync(python) ? python : undefined;
}

/** Writes the descriptions of APIs that gcloud has clients of. */
async function describeGcloud(folder: string): Promise<string[]> {
  const python = sdkPython();
  if (python === undefined) return [];
  return Promise.all(
    OF_GCLOUD.map(async (name) => {
      const { stdout } = await promisify(execFile)(
        python,
        [DESCRIBE, sdkRoot()!, name, "v1"],
        { maxBuffer: 64 * 1024 * 1024 },
      );
      const file = path.join(folder, `${name}.v1.json`);
      writeFileSync(file, stdout);
      return file;
    }),
  );
}
