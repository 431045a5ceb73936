// Times the validator in one process, after start-up: a file of 1,000 lines, one
// of 1 MB, an alias bomb. Prints the median of the rounds, the first round (cold
// code) and the limit. Usage: node bench/overrides.mjs [rounds]
import { build } from "esbuild";
import path from "node:path";
import { ROOT, median } from "./support.mjs";

const rounds = Number(process.argv[2] ?? 9);
const { outputFiles } = await build({
  stdin: {
    contents:
      'export { checkFile, resolveCheckOptions } from "./src/overrides/validate.js";',
    resolveDir: ROOT,
  },
  bundle: true,
  format: "esm",
  platform: "node",
  write: false,
  plugins: [
    {
      name: "built",
      setup: ({ onResolve }) =>
        onResolve({ filter: /^#built\// }, ({ path: name }) => ({
          path: path.join(ROOT, "dist/built", name.slice("#built/".length)),
        })),
    },
  ],
  banner: {
    js: 'import { createRequire } from "node:module"; const require = createRequire("/");',
  },
});
const { checkFile, resolveCheckOptions } = await import(
  `data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`
);

const HEAD = `org: example
instanceID: one
gcp: { projectID: project-one, region: us-east1 }
k8sCluster: { name: one, region: us-east1 }
mart: { serviceAccountPath: ./mart.json }
connectAgent: { serviceAccountPath: ./mart.json }
metrics: { serviceAccountPath: ./metrics.json }
watcher: { serviceAccountPath: ./watcher.json }
virtualhosts:
  - name: group
    sslSecret: group-tls
envs:
`;

/** Returns environments of eight lines each; one in fifty has a mistake. */
function environments(count) {
  return Array.from(
    { length: count },
    (_, index) => `  # environment ${index}
  - name: env-${index}
    pollInterval: ${index % 50 === 7 ? "often" : 60}
    serviceAccountPaths:
      synchronizer: "./accounts/synchronizer-${index}.json"
      udca: "./accounts/udca-${index}.json"
    cacheEncryptionPath: ./keys/cache-${index}
    kmsEncryptionPath: ./keys/kms-${index}
`,
  ).join("");
}

/** Returns a file of at most `size` bytes after the head, the limit of the validator. */
function largest(size) {
  let count = 4_000;
  while (environments(count).length > size) count -= 10;
  return HEAD + environments(count);
}

function bomb() {
  const lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"];
  for (let index = 1; index < 60; index++)
    lines.push(
      `a${index}: &a${index} [${Array(9)
        .fill(`*a${index - 1}`)
        .join(", ")}]`,
    );
  return `${lines.join("\n")}\n`;
}

const thousand = HEAD + environments(124);
const million = largest((1 << 20) - HEAD.length);
const cases = [
  ["alias bomb", bomb(), 100],
  [`${thousand.split("\n").length - 1} lines`, thousand, 100],
  [`${(million.length / 1e6).toFixed(2)} MB`, million, 1000],
];

console.log("| input | findings | first ms | median ms | limit ms |");
console.log("|---|---|---|---|---|");
for (const [name, text, limit] of cases) {
  const bytes = Buffer.from(text);
  const times = [];
  let found = 0;
  for (let round = 0; round < rounds; round++) {
    const start = performance.now();
    const checked = checkFile("o.yaml", bytes, resolveCheckOptions("1.3.6"));
    times.push(performance.now() - start);
    found = checked.diagnostics.length;
  }
  const row = [
    name,
    found,
    times[0].toFixed(1),
    median(times).toFixed(1),
    limit,
  ];
  console.log(`| ${row.join(" | ")} |`);
  if (median(times) > limit) process.exitCode = 1;
}
