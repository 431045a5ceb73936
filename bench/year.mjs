// Plays a year of updates: the APIs and revisions of ../shared/revisions, and the
// documents of ../shared/corpus, served from a local directory with faults. Each tick
// publishes the next revisions; some APIs are gone, older, flaky or invalid for a tick.
// Prints counts (each must be 0): false moves, missed breaks, APIs that another one
// blocked, noise of the output; and ratios of processor time with their budgets.
// Usage: node bench/year.mjs [ticks] (default: 5)
import { execFileSync, spawn } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createHash } from "node:crypto";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { ROOT, SHARED } from "./support.mjs";

const GEN = path.join(ROOT, "bin/gen.js");
const TICKS = Number(process.argv[2] ?? 5);
/** Number of APIs, of which those with revisions come first. */
const APIS = 130;
/** Seconds that `gen update` may take longer than fetch and generate, as a factor. */
const UPDATE_BUDGET = 1.5;
const DIFF_BUDGET = 2;
const MAX_REPORT = 1_000_000;

const REVISIONS = path.join(SHARED, "revisions");
const CORPUS = path.join(SHARED, "corpus");
if (!existsSync(REVISIONS) || !existsSync(CORPUS)) {
  console.log("skipped: ../shared/revisions and ../shared/corpus are missing");
  process.exit(0);
}

const work = mkdtempSync(path.join(tmpdir(), "gen-year-"));
process.on("exit", () => rmSync(work, { recursive: true, force: true }));

const parse = (file) => JSON.parse(readFileSync(file, "utf8"));
const label = ({ name, version }) => `${name}:${version}`;

/** Revisions of each API, oldest first; `name:version` of the document is the key. */
const years = new Map();
for (const folder of readdirSync(REVISIONS)) {
  const files = readdirSync(path.join(REVISIONS, folder)).sort();
  const documents = files.map((name) =>
    parse(path.join(REVISIONS, folder, name)),
  );
  const own = documents.filter(
    (document) => label(document) === label(documents[0]),
  );
  years.set(label(own[0]), own);
}
for (const name of readdirSync(CORPUS)) {
  if (years.size >= APIS) break;
  const document = parse(path.join(CORPUS, name));
  if (document.name === undefined || years.has(label(document))) continue;
  years.set(label(document), [document]);
}
const ids = [...years.keys()];

/** Documents of the current tick; a fault is a status, or another text. */
const published = new Map();
const server = createServer((request, response) => {
  const [, name, version] =
    /\/apis\/([^/]+)\/([^/]+)\/rest$/.exec(request.url) ?? [];
  const send = (status, text) => {
    const etag = `"${createHash("sha256").update(text).digest("hex")}"`;
    const isSame = status === 200 && request.headers["if-none-match"] === etag;
    response.writeHead(isSame ? 304 : status, { etag });
    response.end(isSame ? undefined : text);
  };
  if (name === undefined) {
    const items = ids.map((id) => {
      const [api, at] = id.split(":");
      const discoveryRestUrl = `${origin}/apis/${api}/${at}/rest`;
      return { name: api, version: at, preferred: true, discoveryRestUrl };
    });
    send(200, JSON.stringify({ kind: "discovery#directoryList", items }));
    return;
  }
  const found = published.get(`${name}:${version}`);
  if (typeof found === "number") send(found, "{}");
  else if (typeof found === "string") send(200, found);
  else send(200, JSON.stringify(found));
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const origin = `http://127.0.0.1:${server.address().port}`;

/**
 * Runs gen in a folder; returns its exit code, output and seconds of processor time,
 * which other programs of the machine affect less than the time of a clock.
 */
function gen(cwd, ...args) {
  const preload = path.join(ROOT, "bench/usage.cjs");
  const child = spawn(process.execPath, ["--require", preload, GEN, ...args], {
    cwd,
    env: { ...process.env, XDG_CACHE_HOME: path.join(work, "cache") },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const chunks = [];
  let errors = "";
  child.stdout.on("data", (chunk) => chunks.push(chunk));
  child.stderr.on("data", (chunk) => (errors += chunk));
  return new Promise((resolve) =>
    child.on("close", (status) =>
      resolve({
        status,
        stdout: Buffer.concat(chunks).toString(),
        stderr: errors,
        seconds: JSON.parse(/USAGE(\{.*?\})/.exec(errors)[1]).cpu,
      }),
    ),
  );
}

function project(name) {
  const cwd = path.join(work, name);
  mkdirSync(cwd);
  writeFileSync(
    path.join(cwd, "gen.config.yaml"),
    [
      "out: generated",
      `directory: ${origin}/apis`,
      "allowHttp: true",
      "allowPrivate: true",
      "target: [client]",
      "apis:",
      ...ids.map((id) => `  "${id}": {}`),
      "",
    ].join("\n"),
  );
  return cwd;
}

const git = (cwd, ...args) =>
  execFileSync("git", ["-C", cwd, ...args], {
    encoding: "utf8",
    maxBuffer: 1 << 28,
  });
function commit(cwd, message) {
  git(cwd, "add", "--all");
  const author = ["-c", "user.name=bench", "-c", "user.email=b@example.com"];
  git(cwd, ...author, "commit", "--quiet", "--allow-empty", "-m", message);
}

/** Methods by id, with their verb, path and bodies; found without the generator. */
function methodsOf(resource, found = new Map()) {
  for (const method of Object.values(resource.methods ?? {}))
    found.set(method.id, method);
  for (const child of Object.values(resource.resources ?? {}))
    methodsOf(child, found);
  return found;
}

/** Path of a method below the host, with variables by position. */
const shapeOf = ({ servicePath = "" }, { flatPath, path: at = "" }) =>
  (servicePath + (flatPath ?? at)).replaceAll(/\{[^}]*\}/g, "{}");

/** Counts moves of methods whose verb, path or bodies differ. */
function falseMoves(changes, old, now) {
  const [before, after] = [methodsOf(old), methodsOf(now)];
  return changes.filter(({ oldMethod, method, rule }) => {
    if (oldMethod === undefined || !/moved|renamed/.test(rule)) return false;
    const [a, b] = [before.get(oldMethod), after.get(method)];
    return (
      a === undefined ||
      b === undefined ||
      a.httpMethod !== b.httpMethod ||
      shapeOf(old, a) !== shapeOf(now, b)
    );
  }).length;
}

/** Counts methods and properties that are gone without a breaking change. */
function missedBreaks(changes, old, now) {
  const breaking = changes.filter(
    ({ client, types }) => client === "breaking" || types === "breaking",
  );
  const texts = breaking.map(({ message, method, oldMethod, schema }) =>
    [message, method, oldMethod, schema].join(" "),
  );
  const after = methodsOf(now);
  let missed = 0;
  for (const id of methodsOf(old).keys())
    if (!after.has(id) && !texts.some((text) => text.includes(id))) missed++;
  for (const [name, schema] of Object.entries(old.schemas ?? {})) {
    const next = now.schemas?.[name];
    if (next === undefined) continue;
    for (const property of Object.keys(schema.properties ?? {}))
      if (
        next.properties?.[property] === undefined &&
        !changes.some((change) => change.message.includes(property))
      )
        missed++;
  }
  return missed;
}

const totals = { falseMoves: 0, missedBreaks: 0, blocked: 0, noise: 0 };
const ratios = { update: [], diff: [], changelog: [] };
const sizes = { sarif: 0, html: 0 };
const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];

for (const [id, documents] of years) published.set(id, documents[0]);
const cwd = project("project");
git(cwd, "init", "--quiet");
const first = await gen(cwd);
if (first.status !== 0) console.log(first.stderr.slice(0, 2000));
commit(cwd, "first");

for (let tick = 1; tick <= TICKS; tick++) {
  const faults = new Map();
  const before = new Map(published);
  for (const [index, [id, documents]] of [...years].entries()) {
    const document = documents[Math.min(tick, documents.length - 1)];
    published.set(id, document);
    // Each fault meets APIs that change in this tick, and others.
    const fault = (index * 7 + tick) % 23;
    if (fault === 0) faults.set(id, ["gone", 404]);
    else if (fault === 1) faults.set(id, ["unreachable", 403]);
    else if (fault === 2) faults.set(id, ["invalid", "<html></html>"]);
    else if (fault === 3 && /^\d{8}$/.test(document.revision ?? "")) {
      const older = { ...document, revision: "19990101", title: `Old ${tick}` };
      faults.set(id, ["older", older]);
    }
  }
  const wanted = new Map(published);
  for (const [id, [, response]] of faults) published.set(id, response);
  // The same update as two commands, in a copy, with the same cache.
  const twin = path.join(work, `twin-${tick}`);
  execFileSync("cp", ["-r", cwd, twin]);
  await gen(cwd, "outdated");
  const fetched = await gen(twin, "fetch");
  const generated = await gen(twin);
  const args = ["--json", path.join(work, "report.json")];
  const updated = await gen(cwd, "update", ...args);
  ratios.update.push(updated.seconds / (fetched.seconds + generated.seconds));
  if (updated.status !== 0) console.log(updated.stderr.slice(0, 2000));
  const { apis, summary } = parse(path.join(work, "report.json"));
  for (const { api, status, reason } of apis) {
    const [expected] = faults.get(api) ?? [];
    const isKept = status === "kept";
    if (expected === undefined ? isKept && reason !== "older" : !isKept)
      totals.blocked++;
  }
  // Output of APIs without an update is unchanged, and a second run changes nothing.
  const changed = new Set(
    apis.filter(({ status }) => status === "updated").map(({ api }) => api),
  );
  const files = git(cwd, "status", "--porcelain", "--untracked-files=all")
    .split("\n")
    .map((line) => /generated\/([^/]+)\/([^/]+)\//.exec(line))
    .filter((match) => match !== null && match[1] !== "runtime")
    .map(([, name, version]) => `${name}:${version}`);
  const folders = new Set(
    [...changed].map((id) => id.replaceAll(/[^\w:]/g, "")),
  );
  totals.noise += files.filter(
    (id) => !changed.has(id) && !folders.has(id.replaceAll(/[^\w:]/g, "")),
  ).length;
  // What the two commands cost, against generating all APIs.
  rmSync(path.join(twin, "generated"), { recursive: true, force: true });
  const all = await gen(twin);
  const diff = await gen(cwd, "diff", "--format", "json", "--fail-on", "none");
  const changelog = await gen(cwd, "changelog");
  ratios.diff.push(diff.seconds / all.seconds);
  ratios.changelog.push(changelog.seconds / all.seconds);
  for (const format of ["sarif", "html"]) {
    const { stdout } = await gen(cwd, "diff", "--format", format, "--all");
    sizes[format] = Math.max(sizes[format], Buffer.byteLength(stdout));
  }
  for (const { api, changes } of JSON.parse(diff.stdout)) {
    if (!changed.has(api)) continue;
    const [old, now] = [before.get(api), wanted.get(api)];
    totals.falseMoves += falseMoves(changes, old, now);
    totals.missedBreaks += missedBreaks(changes, old, now);
  }
  commit(cwd, `tick ${tick}`);
  const again = await gen(cwd, "update");
  totals.noise += git(cwd, "status", "--porcelain").split("\n").length - 1;
  for (const [id] of faults) published.set(id, before.get(id));
  const { updated: count, kept, breaking } = summary;
  console.log(
    `tick ${tick}: ${count} updated, ${kept} kept, ${breaking.client} breaking for clients; update ${updated.seconds.toFixed(1)} s (fetch ${fetched.seconds.toFixed(1)} s + generate ${generated.seconds.toFixed(1)} s), again ${again.seconds.toFixed(1)} s; all ${all.seconds.toFixed(1)} s, diff ${diff.seconds.toFixed(1)} s, changelog ${changelog.seconds.toFixed(1)} s`,
  );
  rmSync(twin, { recursive: true, force: true });
}
server.close();

const rows = [
  ...Object.entries(totals).map(([name, value]) => [name, value, 0]),
  ["update / (fetch + generate)", median(ratios.update), UPDATE_BUDGET],
  ["diff / generate", median(ratios.diff), DIFF_BUDGET],
  ["changelog / generate", median(ratios.changelog), DIFF_BUDGET],
  ["bytes of SARIF", sizes.sarif, MAX_REPORT],
  ["bytes of HTML", sizes.html, MAX_REPORT],
];
console.log(
  `\n${ids.length} APIs, ${TICKS} ticks\n\n| figure | value | limit |\n|---|---|---|`,
);
for (const [name, value, limit] of rows) {
  const text = Number.isInteger(value) ? value : value.toFixed(2);
  console.log(`| ${name} | ${text} | ${limit} |`);
  if (value > limit) process.exitCode = 1;
}
