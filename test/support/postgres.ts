import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";

/** A cluster of PostgreSQL for tests. */
export interface Postgres {
  /** URL of its one database. */
  readonly url: string;
  stop(): Promise<void>;
}

const LIBRARY = "/usr/lib/postgresql";

/** Folder of the server's programs as Debian has it; undefined where it is not installed. */
function programs(): string | undefined {
  if (!existsSync(LIBRARY)) return undefined;
  return readdirSync(LIBRARY)
    .sort((a, b) => Number(b) - Number(a))
    .map((version) => path.join(LIBRARY, version, "bin"))
    .find((folder) => existsSync(path.join(folder, "initdb")));
}

/**
 * Starts a cluster that is gone with the test; undefined, with a notice, where
 * PostgreSQL is not installed. In CI that is a failure.
 */
export async function startPostgres(): Promise<Postgres | undefined> {
  const bin = programs();
  if (bin === undefined) {
    if (process.env["CI"] === "true")
      throw new Error(`PostgreSQL is missing: ${LIBRARY}`);
    console.warn("PostgreSQL is not installed: its tests are left out");
    return undefined;
  }
  const folder = mkdtempSync(path.join(tmpdir(), "gen-pg-"));
  const data = path.join(folder, "data");
  if (isRoot()) execFileSync("chown", ["postgres", folder]);
  const [program, ...start] = unprivileged(path.join(bin, "initdb"));
  execFileSync(
    program!,
    [
      ...start,
      "-D",
      data,
      "-U",
      "tester",
      "-A",
      "trust",
      "-E",
      "UTF8",
      "--locale=C.UTF-8",
      "-N",
    ],
    { cwd: folder, stdio: "ignore" },
  );
  const port = await freePort();
  const server = run(path.join(bin, "postgres"), data, port, folder);
  await listening(server);
  return {
    url: `postgresql://tester@127.0.0.1:${port}/postgres`,
    stop: async () => {
      const ended = new Promise((resolve) => server.once("exit", resolve));
      stopServer(data);
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/** The server refuses to run as root. */
function unprivileged(program: string): string[] {
  return isRoot() ? ["runuser", "-u", "postgres", "--", program] : [program];
}

function run(
  program: string,
  data: string,
  port: number,
  folder: string,
): ChildProcess {
  const [command, ...start] = unprivileged(program);
  const settings = [
    "fsync=off",
    "max_connections=30",
    "listen_addresses=127.0.0.1",
  ];
  return spawn(
    command!,
    [
      ...start,
      "-D",
      data,
      "-p",
      String(port),
      "-k",
      folder,
      ...settings.flatMap((setting) => ["-c", setting]),
    ],
    { cwd: folder, stdio: ["ignore", "ignore", "pipe"] },
  );
}

async function listening(server: ChildProcess): Promise<void> {
  let text = "";
  await new Promise<void>((resolve, reject) => {
    server.once("exit", () => reject(new Error(`PostgreSQL ended: ${text}`)));
    server.stderr!.on("data", (chunk: Buffer) => {
      text += chunk.toString();
      if (text.includes("ready to accept connections")) resolve();
    });
  });
}

/** The process that the folder names: `runuser` does not hand signals on in time. */
function stopServer(data: string): void {
  const [pid = ""] = execFileSync(
    "head",
    ["-1", path.join(data, "postmaster.pid")],
    {
      encoding: "utf8",
    },
  ).split("\n");
  process.kill(Number(pid), "SIGINT");
}

/** Returns a port of the loopback address that no program listens on. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
