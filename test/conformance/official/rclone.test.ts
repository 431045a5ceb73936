import { execFile, spawnSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { contentOf, ODD } from "./content.js";
import { startServers, type Running } from "./servers.js";
import { describeOfficial } from "./suite.js";

/** Size above which rclone sends several requests. */
const LARGE = 17 * 1024 * 1024 + 999;

describeOfficial("rclone (Google Cloud Storage)", missing(), () => {
  let running: Running;
  let folder: string;

  beforeAll(async () => {
    running = await startServers();
    folder = mkdtempSync(path.join(tmpdir(), "gen-rclone-"));
    const from = path.join(folder, "from");
    mkdirSync(path.join(from, "a folder"), { recursive: true });
    writeFileSync(path.join(from, "small"), contentOf(999));
    writeFileSync(path.join(from, "empty"), "");
    writeFileSync(path.join(from, "large"), contentOf(LARGE));
    writeFileSync(path.join(from, ODD.replace(/["?]/g, "")), "odd");
  });
  afterAll(async () => {
    await running?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Runs rclone; returns its output. */
  async function rclone(...args: string[]): Promise<string> {
    const { stdout } = await promisify(execFile)(
      "rclone",
      [...args, "--retries=1", "--low-level-retries=1"],
      {
        timeout: 60_000,
        env: {
          PATH: process.env["PATH"],
          HOME: folder,
          RCLONE_CONFIG: path.join(folder, "none"),
          RCLONE_CONFIG_GCS_TYPE: "google cloud storage",
          RCLONE_CONFIG_GCS_ANONYMOUS: "true",
          RCLONE_CONFIG_GCS_PROJECT_NUMBER: "p",
          RCLONE_CONFIG_GCS_ENDPOINT: `${running.rootUrls["storage.v1"]}storage/v1/`,
        },
      },
    );
    return stdout;
  }

  test("creates and finds a bucket", async () => {
    await rclone("mkdir", "gcs:clone");
    expect(await rclone("lsf", "gcs:")).toContain("clone/");
  });

  test("uploads a folder with large, empty and specially named files", async () => {
    await rclone("copy", path.join(folder, "from"), "gcs:clone/in");
    const all = await rclone("lsf", "--recursive", "--files-only", "gcs:clone");
    expect(all.trim().split("\n").sort()).toEqual(
      [
        `in/${ODD.replace(/["?]/g, "")}`,
        "in/empty",
        "in/large",
        "in/small",
      ].sort(),
    );
  });

  test("downloads it unchanged", async () => {
    await rclone("check", path.join(folder, "from"), "gcs:clone/in");
    await rclone("copy", "gcs:clone/in", path.join(folder, "to"));
    const large = readFileSync(path.join(folder, "to", "large"));
    expect(large.equals(contentOf(LARGE))).toBe(true);
  });

  test("copies on the server, with a body of null", async () => {
    await rclone("copyto", "gcs:clone/in/small", "gcs:clone/out/copied");
    expect(await rclone("cat", "gcs:clone/out/copied")).toHaveLength(
      contentOf(999).toString().length,
    );
    await rclone("moveto", "gcs:clone/out/copied", "gcs:clone/out/moved");
    expect(await rclone("lsf", "gcs:clone/out")).toBe("moved\n");
  });

  test("removes everything", async () => {
    await rclone("purge", "gcs:clone");
    expect(await rclone("lsf", "gcs:")).not.toContain("clone");
  });

  test("no server failed", () => {
    expect(running.crashes).toEqual([]);
  });
});

/** Lists missing requirements of the machine. */
function missing(): string | undefined {
  return spawnSync("rclone", ["version"]).status === 0 ? undefined : "rclone";
}
