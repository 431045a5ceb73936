import { execFile, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import http from "node:http";
import path from "node:path";
import { Readable } from "node:stream";
import { promisify } from "node:util";
import { google } from "googleapis";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  describeApis,
  listen,
  type Listening,
} from "../../../src/runtime/server/index.js";
import { CORPUS } from "../../corpus/support.js";
import { loadServer } from "../../unit/server/generated.js";
import { contentOf } from "./content.js";
import { driveService } from "./services/drive.js";
import { tasksService } from "./services/tasks.js";
import { describeOfficial } from "./suite.js";

/** Debian's python3 has Debian's googleapiclient; another python3 may not. */
const PYTHON = "/usr/bin/python3";
const SCRIPT = path.join(import.meta.dirname, "descriptions.py");

/** Clients that are built at run time from the description of a generated server. */
describeOfficial("descriptions of generated servers", missing(), () => {
  let running: Listening<http.Server>;
  let rootUrl: string;

  beforeAll(async () => {
    const [driveText, tasksText] = ["drive.v3", "tasks.v1"].map((name) =>
      readFileSync(path.join(CORPUS, `${name}.json`), "utf8"),
    );
    const descriptions = describeApis([
      { document: driveText! },
      { document: tasksText! },
    ]);
    const drive = (await loadServer(driveText))(driveService());
    const tasks = (await loadServer(tasksText))(tasksService(), {
      descriptions,
    });
    running = await listen(http, {
      handle: (request) =>
        (drive.serves(request.target) ? drive : tasks).handle(request),
      close: () => Promise.all([drive.close(), tasks.close()]).then(() => {}),
    });
    rootUrl = `http://127.0.0.1:${running.port}/`;
  });
  afterAll(() => running?.close());

  test("googleapiclient: list, uploads, downloads, own description", async () => {
    const { stdout } = await promisify(execFile)(PYTHON, [SCRIPT, rootUrl], {
      env: { PATH: process.env["PATH"], NO_PROXY: "127.0.0.1" },
      timeout: 100_000,
    });
    const result = JSON.parse(stdout) as { titles: string[] };
    expect(result).toMatchObject({
      listed: ["drive:v3", "tasks:v1"],
      sizes: [
        ["800000", true],
        ["800000", true],
      ],
      title: "A list",
    });
    expect(result.titles).toContain("A list");
  });

  async function discovered(target: string, options = {}): Promise<any> {
    return google.discoverAPI(rootUrl + target, options);
  }

  test("googleapis discoverAPI: upload, download, list", async () => {
    const drive = await discovered("discovery/v1/apis/drive/v3/rest");
    const bytes = contentOf(70_000);
    const { data: file } = await drive.files.create({
      requestBody: { name: "stream.bin" },
      media: { mimeType: "image/png", body: Readable.from([bytes]) },
    });
    expect(file).toMatchObject({ mimeType: "image/png", size: "70000" });
    const reader = await discovered("discovery/v1/apis/drive/v3/rest", {
      responseType: "arraybuffer",
    });
    const { data } = await reader.files.get({ fileId: file.id, alt: "media" });
    expect(Buffer.from(data as ArrayBuffer)).toEqual(bytes);
    const tasks = await discovered("$discovery/rest?version=v1");
    await tasks.tasklists.insert({ requestBody: { title: "Another list" } });
    const { data: lists } = await tasks.tasklists.list({});
    const titles = lists.items.map(({ title }: { title: string }) => title);
    expect(titles).toContain("Another list");
  });
});

function missing(): string | undefined {
  const { status } = spawnSync(PYTHON, ["-c", "import googleapiclient"]);
  return status === 0 ? undefined : "python3-googleapi";
}
