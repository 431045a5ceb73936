import { execFileSync, spawn } from "node:child_process";
import { chownSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { onTestFinished } from "vitest";
import { freePort } from "./postgres.js";

/**
 * Starts PgBouncer in transaction mode in front of a database, until the test ends.
 *
 * @param size number of connections to the database
 */
export async function startPgBouncer(
  database: string,
  size: number,
): Promise<string> {
  const { port, pathname } = new URL(database);
  const folder = mkdtempSync(path.join(tmpdir(), "gen-bouncer-"));
  const listenPort = await freePort();
  writeFileSync(path.join(folder, "users.txt"), `"tester" ""\n`);
  writeFileSync(
    path.join(folder, "pgbouncer.ini"),
    `[databases]
* = host=127.0.0.1 port=${port} user=tester
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${listenPort}
unix_socket_dir =
auth_type = trust
auth_file = ${folder}/users.txt
pool_mode = transaction
default_pool_size = ${size}
logfile = ${folder}/log
pidfile = ${folder}/pid
`,
  );
  const isRoot = process.getuid?.() === 0;
  if (isRoot) {
    const [uid, gid] = ["-u", "-g"].map((flag) =>
      Number(execFileSync("id", [flag, "postgres"], { encoding: "utf8" })),
    );
    chownSync(folder, uid!, gid!);
  }
  const args = [path.join(folder, "pgbouncer.ini")];
  const child = isRoot
    ? spawn("runuser", ["-u", "postgres", "--", "pgbouncer", ...args])
    : spawn("pgbouncer", args);
  onTestFinished(async () => {
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGTERM");
    await ended;
    rmSync(folder, { recursive: true, force: true });
  });
  await listening(listenPort);
  return `postgresql://tester@127.0.0.1:${listenPort}${pathname}`;
}

async function listening(port: number): Promise<void> {
  const end = Date.now() + 20_000;
  while (Date.now() < end) {
    const isOpen = await new Promise<boolean>((resolve) => {
      const socket = connect(port, "127.0.0.1", () => {
        socket.destroy();
        resolve(true);
      });
      socket.on("error", () => resolve(false));
    });
    if (isOpen) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error("PgBouncer does not listen");
}
