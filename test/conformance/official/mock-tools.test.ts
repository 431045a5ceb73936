import { execFile, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { mock, type Mock } from "../../../src/index.js";
import { CORPUS } from "../../corpus/support.js";
import { describeOfficial } from "./suite.js";

/** Command-line tools against a mock that starts empty. */
describeOfficial("command-line tools with a mock", missing("rclone"), () => {
  let fake: Mock;
  let folder: string;
  let rootUrl: string;

  beforeAll(async () => {
    const names = ["bigquery.v2", "compute.v1", "storage.v1"];
    fake = await mock(
      names.map((name) => path.join(CORPUS, `${name}.json`)),
      { empty: true, validateResponses: true },
    );
    ({ rootUrl } = await fake.listen());
    folder = mkdtempSync(path.join(tmpdir(), "gen-tools-"));
    writeFileSync(path.join(folder, "up.txt"), "hello\n");
    writeFileSync(path.join(folder, "rows.csv"), "a,1\nb,2\n");
    writeFileSync(path.join(folder, "token"), "none");
  });
  afterAll(async () => {
    await fake?.close();
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  });

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
  } else console.info("gcloud: not tested, it is not installed");

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
