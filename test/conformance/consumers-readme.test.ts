// The programs of README.md in an empty folder with the packed package, run by
// Node 20, 22 and 24 as the README says. Only the package and the document come
// from this repository instead of the network, and requests go to a mock.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
} from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { write } from "../cli/support.js";
import { ROOT } from "../support/paths.js";
import {
  areInstalled,
  nodeBinary,
  startMock,
  type Mock,
} from "./consumers/cell.js";

const README = readFileSync(path.join(ROOT, "README.md"), "utf8");
const DOCUMENT = path.join(ROOT, "test/compile/tasks.v1.json");

/** Returns the code block that contains a text, without comments of the shell. */
function block(language: string, text: string): string {
  const blocks = README.matchAll(/^```(\w+)\n(.*?)^```/gms);
  for (const [, name, code] of blocks)
    if (name === language && code!.includes(text))
      return language === "sh" ? code!.replaceAll(/ +#.*$/gm, "") : code!;
  throw new Error(`README.md has no ${language} block with ${text}`);
}

/** Commands of the section "Install and generate". */
const COMMANDS = block("sh", "npm init").trim().split("\n");
const CLIENT = block("ts", "createTasks({ auth");
const SERVER = block("ts", "createTasksServer");

/** Commands of an empty folder, which do not depend on the version of Node. */
const isInstallation = (command: string): boolean => command.startsWith("npm ");

let folder = "";
let tarball = "";
let mock: Mock;

function run(major: 20 | 22 | 24, command: string): string {
  const { status, stdout, stderr } = spawnSync("sh", ["-c", command], {
    cwd: folder,
    encoding: "utf8",
    timeout: 60_000,
    env: {
      ...process.env,
      PATH: `${path.dirname(nodeBinary(major))}:${process.env["PATH"]}`,
    },
  });
  if (status !== 0) throw new Error(`${command}: ${stdout}${stderr}`);
  return stdout;
}

/** Module that is loaded before a program: the token, and requests to the mock instead of Google. */
const preload = (rootUrl: string): string => `
globalThis.getToken = async () => "token";
const { fetch } = globalThis;
globalThis.fetch = (url, init) => {
  const { pathname, search } = new URL(url);
  return fetch(new URL(pathname + search, "${rootUrl}"), init);
};
`;

describe.skipIf(!areInstalled())("README.md", () => {
  beforeAll(async () => {
    mock = await startMock(DOCUMENT);
    folder = mkdtempSync(path.join(tmpdir(), "gen-readme-"));
    // Global setup has built the package.
    const pack = `npm pack --ignore-scripts --pack-destination "${folder}"`;
    spawnSync("sh", ["-c", pack], { cwd: ROOT });
    const name = readdirSync(folder).find((file) => file.endsWith(".tgz"))!;
    tarball = path.join(folder, name);
    folder = path.join(folder, "project");
    mkdirSync(folder);
    for (const command of COMMANDS.filter(isInstallation))
      run(20, command.replace(/(?<=--save-dev )discovery-codegen/, tarball));
    copyFileSync(DOCUMENT, path.join(folder, "tasks.v1.json"));
    write(folder, { "preload.mjs": preload(mock.rootUrl) });
  }, 120_000);

  afterAll(async () => {
    rmSync(path.dirname(folder), { recursive: true, force: true });
    await mock.close();
  });

  it("has the commands that this test runs or replaces", () => {
    expect(COMMANDS.map((command) => command.split(" ")[0])).toEqual([
      "npm",
      "npm",
      "curl",
      "npx",
      "npx",
    ]);
  });

  it.each([20, 22, 24] as const)("generates and calls on Node %i", (major) => {
    rmSync(path.join(folder, "src"), { recursive: true, force: true });
    write(folder, { "src/main.ts": CLIENT });
    const [generate, start] = COMMANDS.filter((command) =>
      command.startsWith("npx "),
    );
    const output = run(major, generate!);
    expect(output).not.toContain("hint:");
    // The program has the line that the summary prints.
    const line = /^ *(import .*)$/m.exec(output)?.[1];
    expect(CLIENT).toContain(line);
    const titles = run(
      major,
      `NODE_OPTIONS="--import ./preload.mjs" ${start!}`,
    );
    expect(titles.trim().split("\n")).toHaveLength(3);
  });

  it.each([22, 24] as const)("needs no tsx on Node %i", (major) => {
    rmSync(path.join(folder, "src"), { recursive: true, force: true });
    write(folder, { "src/main.ts": CLIENT.replace("index.js", "index.ts") });
    const generate = COMMANDS.find((command) => command.includes("--spec"));
    const output = run(major, `${generate!} --import-suffix ts`);
    expect(output).not.toContain("hint:");
    const titles = run(major, "node --import ./preload.mjs src/main.ts");
    expect(titles.trim().split("\n")).toHaveLength(3);
  });

  it.each([20, 22, 24] as const)("serves on Node %i", async (major) => {
    rmSync(path.join(folder, "src"), { recursive: true, force: true });
    const port = await freePort();
    const text = SERVER.replace("port: 8080", `port: ${port}`);
    write(folder, { "src/main.ts": text });
    const generate = COMMANDS.find((command) => command.includes("--spec"));
    run(major, `${generate!} --target server`);
    const args = ["--import", "tsx", "src/main.ts"];
    const child = spawn(nodeBinary(major), args, { cwd: folder });
    const ended = once(child, "exit");
    const response = await responds(
      `http://127.0.0.1:${port}/tasks/v1/lists/a`,
    );
    child.kill();
    await ended;
    expect(await response.json()).toEqual({ id: "a", title: "Today" });
  });
});

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, "close");
  return port;
}

/** Requests a URL until the server listens, for at most 20 seconds. */
async function responds(url: string): Promise<Response> {
  for (let attempt = 0; ; attempt++)
    try {
      return await fetch(url);
    } catch (error) {
      if (attempt === 200) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
}
