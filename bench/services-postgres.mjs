// Measures the marketplace on PostgreSQL: import of 100,000 purchases, and the
// validation of a purchase against a hand-written Fastify route with pg and one
// prepared join, in alternation, on loopback and with a round trip of 2 ms.
// Usage: node bench/services-postgres.mjs [purchases] [rounds] (after npm run build)
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import http from "node:http";
import path from "node:path";
import { figure } from "./figures.mjs";
import { startPostgres } from "./postgres.mjs";
import { median, ROOT } from "./support.mjs";

const PURCHASES = Number(process.argv[2] ?? 100_000);
const ROUNDS = Number(process.argv[3] ?? 7);
const ITEMS = 1000;
const IN_FLIGHT = 16;
const MILLISECONDS = 1500;
const gen = path.join(ROOT, "bin/gen.js");

const postgres = await startPostgres();
if (postgres === undefined) throw new Error("PostgreSQL is not installed");
mkdirSync(path.join(ROOT, ".tmp"), { recursive: true });
const work = mkdtempSync(path.join(ROOT, ".tmp/postgres-"));
const children = [];

/** Starts a program of Node.js; returns the first match of its output. */
async function start(pattern, ...args) {
  const child = spawn(process.execPath, args, {
    stdio: ["ignore", "pipe", "ignore"],
  });
  children.push(child);
  let text = "";
  for await (const chunk of child.stdout.iterator({ destroyOnReturn: false })) {
    text += chunk;
    const found = pattern.exec(text)?.[1];
    if (found !== undefined) return { found, pid: child.pid };
  }
  throw new Error(`${args.join(" ")}: ${text}`);
}

const admin = (...args) =>
  execFileSync(
    process.execPath,
    [gen, "marketplace", ...args, "--store", postgres.url],
    { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] },
  ).trim();

const agent = new http.Agent({ keepAlive: true, maxSockets: IN_FLIGHT });
const post = (url) =>
  new Promise((resolve, reject) => {
    const call = http.request(url, { agent, method: "POST" }, (response) => {
      const chunks = [];
      response.on("data", (chunk) => chunks.push(chunk));
      response.on("end", () =>
        resolve({
          status: response.statusCode,
          body: Buffer.concat(chunks).toString(),
        }),
      );
    });
    call.on("error", reject);
    call.end();
  });

/** Returns the processor time of a process in ms. */
const cpuOf = (pid) => {
  const fields = execFileSync("cat", [`/proc/${pid}/stat`], {
    encoding: "utf8",
  }).split(" ");
  return (Number(fields[13]) + Number(fields[14])) * 10;
};

/** Returns the processor time and the duration of a request in ms. */
async function measure({ found: origin, pid }, key) {
  const end = performance.now() + MILLISECONDS;
  const before = cpuOf(pid);
  let count = 0;
  const worker = async () => {
    while (performance.now() < end) {
      const code = `code-${(count++ * 7919) % PURCHASES}`;
      const target = `/api/purchases/validation?api_key=${key}&purchase_code=${code}`;
      const { status } = await post(origin + target);
      if (status !== 200) throw new Error(`${origin}: ${status}`);
    }
  };
  const begun = performance.now();
  await Promise.all(Array.from({ length: IN_FLIGHT }, worker));
  const elapsed = performance.now() - begun;
  return {
    cpu: (cpuOf(pid) - before) / count,
    wall: elapsed / count,
  };
}

try {
  admin("owner", "add", "--username", "bench", "--email", "bench@example.com");
  const key = admin("key", "create", "--owner", "bench");
  const write = (name, rows) => {
    const file = path.join(work, name);
    writeFileSync(file, JSON.stringify(rows));
    return file;
  };
  const items = Array.from({ length: ITEMS }, (_, index) => ({
    name: `Item ${index}`,
    description: `What item ${index} is good for. `.repeat(8),
    category: "Code",
    sub_category: "Scripts",
    options: ["Documentation", "Updates"],
    version: `1.${index}`,
    demo_link: `https://marketplace.example.com/demo/${index}`,
    tags: ["one", "two", "three"],
    media: {
      thumbnail: `https://marketplace.example.com/${index}.thumb.png`,
      preview_image: `https://marketplace.example.com/${index}.png`,
      screenshots: [`https://marketplace.example.com/${index}-1.png`],
    },
    price: { regular: 10, extended: 100 },
    currency: "USD",
  }));
  admin("import", "items", write("items.json", items), "--owner", "bench");
  const purchases = Array.from({ length: PURCHASES }, (_, index) => ({
    purchase_code: `code-${index}`,
    item_id: (index % ITEMS) + 1,
    price: 10,
    currency: "USD",
    supported_until: "2030-01-01T00:00:00Z",
    date: "2025-01-01T00:00:00Z",
  }));
  const file = write("purchases.json", purchases);
  const begun = performance.now();
  admin("import", "purchases", file, "--owner", "bench");
  const seconds = (performance.now() - begun) / 1000;
  console.log(
    `import of ${PURCHASES} purchases: ${seconds.toFixed(1)} s (with the start of a process)`,
  );
  figure(`marketplace: import of ${PURCHASES} purchases, s`, [seconds], 10);
  const config = path.join(work, "config.yaml");
  writeFileSync(config, "marketplace: { requestsPerMinute: 0 }\n");
  const { found: proxy } = await start(
    /^(\d+)\n/,
    path.join(ROOT, "bench/postgres.mjs"),
    String(postgres.port),
    "1",
  );
  for (const [name, port] of [
    ["loopback", postgres.port],
    ["round trip of 2 ms", proxy],
  ]) {
    const url = postgres.url.replace(/:\d+\//, `:${port}/`);
    const service = await start(
      /listening on (\S+)/,
      gen,
      "serve",
      "marketplace",
      "--port",
      "0",
      "--store",
      url,
      "--config",
      config,
    );
    const written = await start(
      /listening on (\S+)/,
      path.join(ROOT, "bench/services/marketplace-app.mjs"),
      url,
    );
    const target = `/api/purchases/validation?api_key=${key}&purchase_code=code-7`;
    const [a, b] = await Promise.all(
      [service, written].map(({ found }) => post(found + target)),
    );
    const [left, right] = [a, b].map(({ body }) => JSON.parse(body));
    if (JSON.stringify(left) !== JSON.stringify(right))
      throw new Error(`the responses differ: ${a.body} ${b.body}`);
    const ratios = { cpu: [], wall: [] };
    const results = { service: [], written: [] };
    await measure(service, key);
    await measure(written, key);
    for (let round = 0; round < ROUNDS; round++) {
      const one = await measure(service, key);
      const other = await measure(written, key);
      results.service.push(one.wall);
      results.written.push(other.wall);
      for (const kind of ["cpu", "wall"])
        ratios[kind].push(one[kind] / other[kind]);
    }
    const rate = (values) => Math.round(1000 / median(values));
    console.log(
      `validation, ${name}: ${rate(results.service)} requests/s, hand-written ${rate(results.written)}; cost ${median(ratios.wall).toFixed(2)} × by time, ${median(ratios.cpu).toFixed(2)} × by processor time`,
    );
    figure(`marketplace: validation on PostgreSQL, ${name}`, ratios.wall, 1.5);
  }
} finally {
  for (const child of children) child.kill("SIGKILL");
  rmSync(work, { recursive: true, force: true });
  await postgres.stop();
}
