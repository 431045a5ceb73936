import { expect, test } from "vitest";
import { VALID_12, VALID_13 } from "../support/overrides.js";
import { temporaryFolder } from "../support/paths.js";
import { printedFor } from "./support/overrides.js";
import { forEachSeed, type Choices } from "./support/seeds.js";

/** Excerpts of files with a secret, in common spellings. */
type Leak = (secret: string) => string;

const pem = (secret: string): string =>
  `-----BEGIN PRIVATE KEY-----\\n${secret}\\n-----END PRIVATE KEY-----`;

const LEAKS: readonly Leak[] = [
  // Supported properties.
  (s) => `httpProxy:\n  host: h\n  port: 1\n  username: ${s}\n  password: ${s}`,
  (s) => `cassandra:\n  auth:\n    admin:\n      password: "${s}"`,
  (s) => `cassandra:\n  auth: { admin: { password: ${s} }, x: 1 }`,
  (s) => `kmsEncryptionKey: ${s}`,
  (s) => `defaults:\n  org: { kmsEncryptionKey: ${s} }`,
  (s) => `kvmEncryptionKey: |\n  ${s}\n  ${s}`,
  // Unsupported properties and misspellings.
  (s) => `httpProxy:\n  password:${s}`,
  (s) => `httpProxy:\n  host: h\n  password:${s}`,
  (s) => `httpProxy: password:${s}`,
  (s) => `httpProxy: {password:${s}}`,
  (s) => `httpProxy:\n  - password:${s}`,
  (s) => `httpProxy: ${s}`,
  (s) => `cassandra:\n  auth:\n    admin: ${s}`,
  (s) => `cassandra:\n  auth: ${s}`,
  (s) => `cassandra.auth.admin: ${s}`,
  (s) => `cassandra.auth.admin.password: ${s}`,
  (s) => `cassandra:\n  auth.admin: ${s}`,
  (s) => `cassandra:\n  auth:\n    reader: { pw: ${s}, pw: ${s} }`,
  (s) => `pasword:\n  ${s}: x\n  ${s}: y`,
  (s) => `secret_key: [${s}, ${s}]`,
  (s) => `kmsEncryptonKey: ${s}`,
  (s) => `x: &p ${s}\nhttpProxy:\n  password: *p\n  ${"y"}: 1`,
  (s) => `x: &p\n  a: ${s}\nhttpProxy:\n  password: *p`,
  (s) => `namespace: password=${s}`,
  // Users in URLs.
  (s) => `httpProxy:\n  host: http://user:${s}@proxy.example.com\n  port: 1`,
  (s) => `httpProxy:\n  host: user:${s}@proxy.example.com\n  port: 1`,
  (s) => `metrics:\n  serviceAccountPath: x\n  proxyURL: ftp://u:${s}@p`,
  (s) => `contractProvider: http://user:${s}@example.com/`,
  (s) => `contractProvider: https://user:${s}@example.com/ x`,
  (s) => `namespace: https://user:p@${s}@example.com`,
  // Keys instead of paths.
  (s) => `mart:\n  serviceAccountPath: "${pem(s)}"`,
  (s) =>
    `mart:\n  serviceAccountPath: |\n    ${pem(s).replace(/\\n/g, "\n    ")}`,
  (s) => `virtualhosts:\n  - name: a\n    sslKeyPath: "${pem(s)}"`,
  (s) => `logger:\n  serviceAccountPath: '{"private_key": "${s}"}'`,
  // Content that the rewriter removes and reports.
  (s) =>
    `ingress:\n  password: ${s}\n  runtime: { loadBalancerIP: "u:${s}@h" }`,
  (s) => `ingress:\n  x: 1 # password: ${s}\n  # https://u:${s}@h`,
  (s) => `istio:\n  pilot:\n    image: { url: "https://u:${s}@registry" }`,
  (s) =>
    `mart:\n  hostAlias: https://u:${s}@h\n  serviceAccountPath: a-apigee-mart.json`,
];

/** Text that makes the file invalid YAML. */
const BREAKS = [
  "\n: :\n  - x\n y",
  '\nz: "',
  "\n\tz: 1",
  "\n}",
  "\n   z: {",
  "",
];

const breaking = (choices: Choices): string =>
  choices.chance(0.5) ? choices.pick(BREAKS) : "";

test("no command prints a secret of an overrides file, in any format", async () => {
  const cwd = temporaryFolder();
  await forEachSeed(async (choices, seed) => {
    const secret = `s3cr${seed}Zq${choices.int(1e6)}`;
    const part = LEAKS[seed % LEAKS.length]!(secret);
    const base = choices.pick([VALID_12, VALID_13, ""]);
    const name = /^[\w-]+/.exec(part)![0];
    const others = base.replace(
      new RegExp(`^${name}:.*\n(?:[ #].*\n|\n)*`, "m"),
      "",
    );
    const isFirst = choices.chance(0.3);
    const text = isFirst
      ? `${part}\n${others}${breaking(choices)}`
      : `${others}${part}${breaking(choices)}\n`;
    for (const { command, text: printed } of await printedFor(cwd, text))
      expect(
        printed.includes(secret) ? `${text}\n--- ${command}\n${printed}` : "",
        command,
      ).toBe("");
  });
});
