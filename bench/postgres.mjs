// A cluster of PostgreSQL for benches, and a proxy that delays its packets.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
} from "node:fs";
import net from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";

const LIBRARY = "/usr/lib/postgresql";

/** Returns a port of the loopback address that no program listens on. */
export async function freePort() {
  const server = net.createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  server.close();
  await once(server, "close");
  return port;
}

/**
 * Creates a cluster with durable commits and starts it.
 *
 * @returns its URL, `restart` and `stop`; undefined if PostgreSQL is missing
 */
export async function startPostgres() {
  const version = existsSync(LIBRARY)
    ? readdirSync(LIBRARY).sort().at(-1)
    : undefined;
  if (version === undefined) return undefined;
  const bin = path.join(LIBRARY, version, "bin");
  const folder = mkdtempSync(path.join(tmpdir(), "bench-pg-"));
  const data = path.join(folder, "data");
  const isRoot = process.getuid() === 0;
  if (isRoot) execFileSync("chown", ["postgres", folder]);
  const prefix = isRoot ? ["runuser", "-u", "postgres", "--"] : [];
  const [program, ...args] = [
    ...prefix,
    path.join(bin, "initdb"),
    "-D",
    data,
    "-U",
    "bench",
    "-A",
    "trust",
    "-E",
    "UTF8",
    "--locale=C.UTF-8",
  ];
  execFileSync(program, args, { cwd: folder, stdio: "ignore" });
  const port = await freePort();
  const start = async () => {
    const [command, ...rest] = [
      ...prefix,
      path.join(bin, "postgres"),
      "-D",
      data,
      "-p",
      String(port),
      "-k",
      folder,
      "-c",
      "listen_addresses=127.0.0.1",
      "-c",
      "max_connections=60",
    ];
    const server = spawn(command, rest, {
      cwd: folder,
      stdio: ["ignore", "ignore", "pipe"],
    });
    let text = "";
    for await (const chunk of server.stderr.iterator({
      destroyOnReturn: false,
    })) {
      text += chunk;
      if (text.includes("ready to accept connections")) break;
    }
    server.stderr.resume();
    return server;
  };
  let server = await start();
  const stop = async () => {
    const [pid] = readFileSync(path.join(data, "postmaster.pid"), "utf8").split(
      "\n",
    );
    const ended = once(server, "exit");
    process.kill(Number(pid), "SIGINT");
    await ended;
  };
  return {
    url: `postgresql://bench@127.0.0.1:${port}/postgres`,
    port,
    async restart() {
      await stop();
      server = await start();
    },
    async stop() {
      await stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Forwards connections to a port; each direction is delayed by `delay` ms. */
export async function delayingProxy(target, delay) {
  const pipe = (from, to) => {
    from.setNoDelay(true);
    from.on("data", (chunk) => setTimeout(() => to.write(chunk), delay));
    from.on("close", () => setTimeout(() => to.destroy(), delay));
    from.on("error", () => {});
  };
  const server = net.createServer((client) => {
    const upstream = net.connect(target, "127.0.0.1");
    pipe(client, upstream);
    pipe(upstream, client);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return server.address().port;
}

// `node bench/postgres.mjs <port> <ms>` runs a proxy in a process of its own.
if (process.argv[1]?.endsWith("bench/postgres.mjs")) {
  const [port, delay] = process.argv.slice(2).map(Number);
  console.log(await delayingProxy(port, delay));
}
