// Runs three processes of `gen serve` behind nginx on PostgreSQL under load. One
// process is killed every 5 s, all are restarted one after the other, PostgreSQL
// is restarted, and the clock of one process is an hour ahead (faketime). The
// clients retry once, with another process. At the end, every acknowledged
// change must be in the database, exactly once. Migrations are started all the
// time, some of them with an export of several seconds, so that many exports are
// interrupted. Each must be exported once or have failed with a reason, none may
// run in two processes at the same time, and none may wait for long.
// Usage: node bench/replicas.mjs [seconds] (after npm run build)
// Needs nginx, faketime and PostgreSQL (Debian packages).
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import http from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import pg from "pg";
import { freePort, startPostgres } from "./postgres.mjs";
import { ROOT } from "./support.mjs";

const SECONDS = Number(process.argv[2] ?? 180);
const KILL_INTERVAL = 5000;
const gen = path.join(ROOT, "bin/gen.js");
const work = mkdtempSync(path.join(tmpdir(), "replicas-"));
const data = path.join(work, "data");
const root = path.join(work, "git");
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

const git = (folder, ...args) =>
  execFileSync("git", ["-C", folder, ...args], {
    stdio: "ignore",
    env: {
      PATH: process.env.PATH,
      GIT_AUTHOR_NAME: "A",
      GIT_AUTHOR_EMAIL: "a@example.com",
      GIT_COMMITTER_NAME: "A",
      GIT_COMMITTER_EMAIL: "a@example.com",
    },
  });

/** Creates a bare repository with one commit. */
function makeRepository(name) {
  const source = path.join(work, "source");
  mkdirSync(source, { recursive: true });
  git(source, "init", "-q", "-b", "main");
  writeFileSync(path.join(source, "README.md"), `# ${name}\n`);
  git(source, "add", ".");
  git(source, "commit", "-q", "-m", "First");
  mkdirSync(path.join(root, "acme"), { recursive: true });
  git(source, "clone", "-q", "--bare", ".", path.join(root, "acme", name));
}

const postgres = await startPostgres();
if (postgres === undefined) throw new Error("PostgreSQL is not installed");
makeRepository("alpha.git");
makeRepository("beta.git");
// A file without blocks on disk; compressing it takes several seconds.
const large = path.join(root, "acme", "beta.attachments", "large");
mkdirSync(path.dirname(large));
writeFileSync(large, "");
truncateSync(large, 500 * 1024 * 1024);
mkdirSync(data);
const config = path.join(work, "config.yaml");
writeFileSync(
  config,
  JSON.stringify({
    host: { drain: 1000, grace: 5000 },
    marketplace: { requestsPerMinute: 0 },
    migration: {
      root,
      organizations: [{ login: "acme", owners: ["octocat"] }],
      tokens: [{ token: "owner-token", user: "octocat" }],
      leaseSeconds: 5,
      attempts: 100,
      unfinished: 100_000,
    },
  }),
);

const ports = [await freePort(), await freePort(), await freePort()];
const nginxPort = await freePort();
/**
 * Variables that make a clock an hour ahead. The library is loaded directly,
 * because the program faketime would be the process that receives the signals.
 */
const HOUR_AHEAD = {
  LD_PRELOAD: "/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1",
  FAKETIME: "+1h",
  FAKETIME_DONT_FAKE_MONOTONIC: "1",
};

/** Running processes by index; the clock of the last one is an hour ahead. */
const replicas = [];

async function startReplica(index) {
  const command = [
    process.execPath,
    gen,
    "serve",
    "marketplace",
    "migration",
    "--port",
    String(ports[index]),
    "--store",
    postgres.url,
    "--data",
    data,
    "--config",
    config,
  ];
  const [program, ...args] = command;
  const child = spawn(program, args, {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, ...(index === 2 ? HOUR_AHEAD : {}) },
  });
  replicas[index] = child;
  observeExports(child);
  let text = "";
  for await (const chunk of child.stdout.iterator({ destroyOnReturn: false })) {
    text += chunk;
    if (text.includes("listening on")) return;
  }
}

/** Events of exports in the logs of all processes. */
const exports = {
  started: 0,
  interrupted: 0,
  rejected: 0,
  simultaneous: 0,
  released: 0,
};
/** Numbers of results by migration. */
const exported = new Map();
/** Processes by the migration that they export. */
const active = new Map();

/** Counts the events of exports in the log of a process. */
function observeExports(child) {
  const forget = () => {
    for (const [id, owner] of active) if (owner === child) active.delete(id);
  };
  child.once("exit", forget);
  createInterface(child.stderr).on("line", (line) => {
    if (!line.startsWith("{")) return;
    const { event, migration } = JSON.parse(line);
    if (event === "jobs of a process released") exports.released++;
    if (migration === undefined) return;
    if (event === "export started") {
      exports.started++;
      const owner = active.get(migration);
      if (owner !== undefined && owner !== child) exports.simultaneous++;
      if (child.exitCode === null && child.signalCode === null)
        active.set(migration, child);
      return;
    }
    if (active.get(migration) === child) active.delete(migration);
    if (event === "exported")
      exported.set(migration, (exported.get(migration) ?? 0) + 1);
    else if (event === "export interrupted") exports.interrupted++;
    else if (event === "export rejected") exports.rejected++;
  });
}

async function stopReplica(index, signal) {
  const child = replicas[index];
  const ended = once(child, "exit");
  child.kill(signal);
  await ended;
}

writeFileSync(
  path.join(work, "nginx.conf"),
  `daemon off; worker_processes 1; pid ${work}/nginx.pid; error_log ${work}/error.log;
events { worker_connections 1024; }
http {
  access_log off; client_body_temp_path ${work}/b; proxy_temp_path ${work}/p;
  fastcgi_temp_path ${work}/f; uwsgi_temp_path ${work}/u; scgi_temp_path ${work}/s;
  upstream replicas { ${ports.map((port) => `server 127.0.0.1:${port} max_fails=1 fail_timeout=1s;`).join(" ")} keepalive 16; }
  server {
    listen 127.0.0.1:${nginxPort};
    location / {
      proxy_pass http://replicas; proxy_http_version 1.1; proxy_set_header Connection "";
      proxy_set_header Host localhost; proxy_connect_timeout 1s;
      proxy_next_upstream error timeout http_502 http_503;
    }
  }
}
`,
);

const agent = new http.Agent({ keepAlive: true });
const origin = `http://127.0.0.1:${nginxPort}`;
function request(method, target, headers = {}, body) {
  return new Promise((resolve, reject) => {
    const call = http.request(
      origin + target,
      { agent, method, headers, timeout: 20_000 },
      (response) => {
        let text = "";
        response.on("data", (chunk) => (text += chunk));
        response.on("end", () =>
          resolve({ status: response.statusCode, text }),
        );
        response.on("error", reject);
        response.on("aborted", () => reject(new Error("aborted")));
      },
    );
    call.on("timeout", () => call.destroy(new Error("timeout")));
    call.on("error", reject);
    call.end(body);
  });
}

const counts = { requests: 0, retried: 0, failed: 0 };
const failures = new Map();
/** Sends a request, and once more after an error, as a client with one retry. */
async function withRetry(send, isSuccess) {
  counts.requests++;
  for (let attempt = 1; ; attempt++) {
    const result = await send().catch((error) => ({ error }));
    if (result.error === undefined && isSuccess(result.status)) return result;
    if (attempt === 2) {
      counts.failed++;
      const reason = result.error?.message ?? `status ${result.status}`;
      failures.set(reason, (failures.get(reason) ?? 0) + 1);
      return undefined;
    }
    counts.retried++;
    await sleep(1000);
  }
}

const admin = (...args) =>
  execFileSync(process.execPath, [gen, "marketplace", ...args], {
    encoding: "utf8",
    env: { ...process.env, GEN_SERVE_STORE: postgres.url },
    stdio: ["pipe", "pipe", "ignore"],
    input: "",
  }).trim();

const events = { kills: 0, rolling: 0, restarts: 0 };
let isDone = false;

async function chaos() {
  const begun = performance.now();
  const elapsed = () => (performance.now() - begun) / 1000;
  for (let round = 0; elapsed() < SECONDS; round++) {
    await sleep(KILL_INTERVAL);
    const index = round % 3;
    await stopReplica(index, "SIGKILL");
    events.kills++;
    await startReplica(index);
    if (events.restarts === 0 && elapsed() > SECONDS / 3) {
      await postgres.restart();
      events.restarts++;
    }
    if (events.rolling === 0 && elapsed() > (2 * SECONDS) / 3) {
      for (const each of [0, 1, 2]) {
        await stopReplica(each, "SIGTERM");
        await startReplica(each);
      }
      events.rolling++;
    }
  }
  isDone = true;
}

/** Validates purchases; each must be found in every process. */
async function validate(key) {
  for (let count = 0; !isDone; count++) {
    const code = `code-${count % 1000}`;
    const target = `/api/purchases/validation?api_key=${key}&purchase_code=${code}`;
    await withRetry(
      () => request("POST", target),
      (status) => status === 200,
    );
    await sleep(5);
  }
}

/** Ids of migrations that were acknowledged, in the order of the responses. */
const acknowledged = [];
async function migrate() {
  const headers = {
    authorization: "token owner-token",
    "content-type": "application/json",
  };
  for (let count = 0; !isDone; count++) {
    const name = count % 8 === 7 ? "beta" : "alpha";
    const body = JSON.stringify({ repositories: [name] });
    const result = await withRetry(
      () => request("POST", "/orgs/acme/migrations", headers, body),
      (status) => status === 201,
    );
    if (result !== undefined) acknowledged.push(JSON.parse(result.text).id);
    await sleep(400);
  }
}

let nginx;
try {
  admin("owner", "add", "--username", "bench", "--email", "b@example.com");
  const key = admin("key", "create", "--owner", "bench");
  const file = (name, rows) => {
    const target = path.join(work, name);
    writeFileSync(target, JSON.stringify(rows));
    return target;
  };
  const item = {
    id: 1,
    name: "Item",
    description: "An item.",
    category: "Code",
    sub_category: "Scripts",
    version: "1",
    demo_link: "https://example.com/",
    media: {
      thumbnail: "https://example.com/t",
      preview_image: "https://example.com/p",
    },
    price: { regular: 1, extended: 2 },
    currency: "USD",
  };
  admin("import", "items", file("i.json", [item]), "--owner", "bench");
  const purchases = Array.from({ length: 1000 }, (_, index) => ({
    purchase_code: `code-${index}`,
    item_id: 1,
    price: 1,
    currency: "USD",
    date: "2025-01-01T00:00:00Z",
  }));
  admin("import", "purchases", file("p.json", purchases), "--owner", "bench");
  await Promise.all([0, 1, 2].map(startReplica));
  nginx = spawn("nginx", ["-c", path.join(work, "nginx.conf")], {
    stdio: "ignore",
  });
  await sleep(1000);
  const load = [
    ...Array.from({ length: 4 }, () => validate(key)),
    migrate(),
    migrate(),
  ];
  await chaos();
  await Promise.all(load);
  // Exports that are pending or were interrupted must end without further changes.
  const client = new pg.Client(postgres.url);
  await client.connect();
  const deadline = performance.now() + 120_000;
  let unfinished;
  do {
    await sleep(1000);
    const { rows } = await client.query(
      "SELECT count(*)::int AS count FROM gen_migrations WHERE state NOT IN ('exported', 'failed')",
    );
    unfinished = rows[0].count;
  } while (unfinished > 0 && performance.now() < deadline);
  const { rows } = await client.query(
    `SELECT m.id::int, m.state, m.attempts, m.reason, a.file,
      extract(epoch FROM m.updated_at - m.created_at)::float AS seconds
    FROM gen_migrations m LEFT JOIN gen_migration_archives a ON a.id = m.id`,
  );
  const jobs = await client.query(
    "SELECT count(*)::int AS count FROM gen_jobs.jobs",
  );
  await client.end();
  const stored = new Map(rows.map((row) => [row.id, row]));
  const lost = acknowledged.filter((id) => !stored.has(id));
  const twice = acknowledged.length - new Set(acknowledged).size;
  const states = {};
  for (const { state } of rows) states[state] = (states[state] ?? 0) + 1;
  const files = new Set(readdirSync(path.join(data, "migration/archives")));
  const times = rows.map(({ seconds }) => seconds).sort((x, y) => x - y);
  const quantile = (share) =>
    times[Math.floor(share * (times.length - 1))].toFixed(1);
  const failed = rows.filter(({ state }) => state === "failed");
  const wrong = {
    acknowledgedLost: lost.length,
    idsAcknowledgedTwice: twice,
    unfinished,
    jobsLeft: jobs.rows[0].count,
    exportedWithoutArchive: rows.filter(
      ({ state, file }) => state === "exported" && !files.has(file),
    ).length,
    failedWithoutReason: failed.filter(({ reason }) => !reason).length,
    exportedTwice: [...exported.values()].filter((count) => count > 1).length,
    exportedInTwoProcessesAtOnce: exports.simultaneous,
  };
  const report = {
    seconds: SECONDS,
    ...events,
    ...counts,
    failures: Object.fromEntries(failures),
    migrationsAcknowledged: acknowledged.length,
    migrationsStored: rows.length,
    states,
    reasons: [...new Set(failed.map(({ reason }) => reason))],
    exportsStarted: exports.started,
    exportsStartedAgain: rows.filter(({ attempts }) => attempts > 1).length,
    mostAttempts: Math.max(...rows.map(({ attempts }) => attempts)),
    exportsInterrupted: exports.interrupted,
    resultsRejected: exports.rejected,
    processesReleased: exports.released,
    secondsUntilEnd: {
      p50: quantile(0.5),
      p95: quantile(0.95),
      max: quantile(1),
    },
    ...wrong,
  };
  console.log(JSON.stringify(report, null, 2));
  const isWrong = Object.values(wrong).some((count) => count > 0);
  process.exitCode = isWrong ? 1 : 0;
} finally {
  nginx?.kill("SIGTERM");
  for (const child of replicas) child?.kill("SIGKILL");
  agent.destroy();
  await postgres.stop();
  rmSync(work, { recursive: true, force: true });
}
