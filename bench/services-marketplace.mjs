// Measures the marketplace with `gen serve` and its own store: a list of 10,000
// items over loopback (first and later requests), and small requests per second.
// Usage: node bench/services-marketplace.mjs [items] (after npm run build)
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import http from "node:http";
import path from "node:path";
import { figure } from "./figures.mjs";
import { median, ROOT } from "./support.mjs";

const COUNT = Number(process.argv[2] ?? 10_000);
const ROUNDS = 30;
const gen = path.join(ROOT, "bin/gen.js");

mkdirSync(path.join(ROOT, ".tmp"), { recursive: true });
const work = mkdtempSync(path.join(ROOT, ".tmp/marketplace-"));
process.on("exit", () => rmSync(work, { recursive: true, force: true }));
const data = path.join(work, "data");

const item = (number) => ({
  name: `Item ${number}`,
  description: `What item ${number} is good for. `.repeat(8),
  category: "Code",
  sub_category: "Scripts",
  options: ["Documentation", "Updates"],
  version: `1.${number}`,
  demo_link: `https://marketplace.example.com/demo/${number}`,
  tags: ["one", "two", "three"],
  media: {
    thumbnail: `https://marketplace.example.com/${number}.thumb.png`,
    preview_image: `https://marketplace.example.com/${number}.png`,
    screenshots: [`https://marketplace.example.com/${number}-1.png`],
  },
  price: { regular: 10, extended: 100 },
  currency: "USD",
});

const admin = (...args) =>
  execFileSync(
    process.execPath,
    [gen, "marketplace", ...args, "--data", data],
    {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    },
  ).trim();

const agent = new http.Agent({ keepAlive: true, maxSockets: 16 });
const get = (url, method = "GET") =>
  new Promise((resolve, reject) => {
    const call = http.request(url, { agent, method }, (answer) => {
      let size = 0;
      answer.on("data", (chunk) => (size += chunk.length));
      answer.on("end", () => resolve({ status: answer.statusCode, size }));
    });
    call.on("error", reject);
    call.end();
  });

async function timed(url) {
  const start = performance.now();
  const { status, size } = await get(url);
  if (status !== 200) throw new Error(`${url}: ${status}`);
  return { ms: performance.now() - start, size };
}

/** Returns requests per second, 16 in flight. */
async function rate(url, method) {
  const end = performance.now() + 2000;
  let count = 0;
  const worker = async () => {
    while (performance.now() < end) {
      const { status } = await get(url, method);
      if (status !== 200) throw new Error(`${url}: ${status}`);
      count++;
    }
  };
  await Promise.all(Array.from({ length: 16 }, worker));
  return Math.round(count / 2);
}

admin("owner", "add", "--username", "bench", "--email", "bench@example.com");
const key = admin("key", "create", "--owner", "bench");
const items = path.join(work, "items.json");
writeFileSync(
  items,
  JSON.stringify(Array.from({ length: COUNT }, (_, index) => item(index + 1))),
);
const begun = performance.now();
admin("import", "items", items, "--owner", "bench");
const imported = performance.now() - begun;
const purchases = path.join(work, "purchases.json");
const purchase = { price: 10, currency: "USD", date: "2025-01-01T00:00:00Z" };
writeFileSync(
  purchases,
  JSON.stringify([{ ...purchase, purchase_code: "c-1", item_id: 1 }]),
);
admin("import", "purchases", purchases, "--owner", "bench");

// The default rate limit of an address would end the measurement.
const config = path.join(work, "config.yaml");
writeFileSync(config, "marketplace: { requestsPerMinute: 0 }\n");

const server = spawn(
  process.execPath,
  [
    gen,
    "serve",
    "marketplace",
    "--port",
    "0",
    "--data",
    data,
    "--config",
    config,
  ],
  { stdio: ["ignore", "pipe", "ignore"] },
);
try {
  const origin = await new Promise((resolve, reject) => {
    server.once("exit", () => reject(new Error("the server ended")));
    server.stdout.on("data", (chunk) => {
      const found = /listening on (\S+)/.exec(chunk.toString())?.[1];
      if (found !== undefined) resolve(found);
    });
  });
  const query = `api_key=${key}`;
  const list = `${origin}/api/items/all?${query}`;
  const first = await timed(list);
  const later = [];
  for (let round = 0; round < ROUNDS; round++)
    later.push((await timed(list)).ms);
  later.sort((a, b) => a - b);
  const ms = (value) => `${value.toFixed(1)} ms`;
  console.log(
    `import of ${COUNT} items: ${ms(imported)} (with the start of a process)`,
  );
  console.log(
    `list of ${COUNT} items, ${(first.size / 1e6).toFixed(1)} MB: first ${ms(first.ms)}, then median ${ms(median(later))}, slowest of ${ROUNDS} ${ms(later.at(-1))}`,
  );
  figure(`marketplace: list of ${COUNT} items, ms`, later, 100);
  for (const [name, target, method] of [
    ["account", `account/details?${query}`, "GET"],
    ["item", `items/item?${query}&item_id=1`, "GET"],
    ["validation", `purchases/validation?${query}&purchase_code=c-1`, "POST"],
  ])
    console.log(
      `${name}: ${await rate(`${origin}/api/${target}`, method)} requests/s`,
    );
} finally {
  server.kill("SIGTERM");
}
