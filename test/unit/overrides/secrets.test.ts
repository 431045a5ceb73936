import { expect, test } from "vitest";
import {
  githubReport,
  jsonReport,
  sarifReport,
} from "../../../src/overrides/report/formats.js";
import { textReport } from "../../../src/overrides/report/text.js";
import { rewriteReport } from "../../../src/overrides/report/rewrite.js";
import { rewriteFile } from "../../../src/overrides/rewrite/index.js";
import {
  check,
  VALID_12,
  VALID_13,
  withBlocks,
} from "../../support/overrides.js";

const SECRET = "hunter2horse";

/** Returns all output about a file. */
function allReports(text: string): string {
  const checked = check(text);
  return [
    textReport(checked, false),
    jsonReport([checked]),
    sarifReport([checked], "1"),
    githubReport([checked]),
  ].join("\n");
}

test.each([
  [
    "a password of the wrong type",
    `cassandra:\n  auth:\n    admin:\n      password: [${SECRET}]`,
  ],
  [
    "a password in one line with a mistake",
    `httpProxy: { host: h, prt: 1, password: ${SECRET} }`,
  ],
  [
    "a misspelled password",
    `httpProxy:\n  host: h\n  port: 1\n  pasword: ${SECRET}`,
  ],
  [
    "an unknown user",
    `cassandra:\n  auth:\n    reader:\n      pw: ${SECRET}\n      pw: ${SECRET}`,
  ],
  [
    "a duplicate password",
    `httpProxy:\n  password: ${SECRET}\n  password: ${SECRET}`,
  ],
  ["an invalid encryption key", `kmsEncryptionKey: ${SECRET}`],
  ["an encryption key that is misspelled", `kmsEncryptonKey: ${SECRET}`],
  ["a user name", `httpProxy:\n  username: ${SECRET}\n  usrname: ${SECRET}`],
  ["a placeholder in a password", `httpProxy:\n  password: $${SECRET}`],
  ["a block of text", `kvmEncryptionKey: |\n  ${SECRET}\n  ${SECRET}`],
])("%s is never shown", (_, snippet) => {
  const text = withBlocks(VALID_13, snippet);
  expect(check(text).diagnostics.length).toBeGreaterThan(0);
  expect(allReports(text)).not.toContain(SECRET);
});

test.each([
  ["an unclosed quote", `httpProxy:\n  password: "${SECRET}\norg: a\n`],
  [
    "an indentation",
    `httpProxy:\n  password: ${SECRET}\n   username: ${SECRET}\n`,
  ],
  [
    "a line below a key",
    `defaults:\n  org:\n    kmsEncryptionKey:\n      ${SECRET}\n     x\n: y\n`,
  ],
  ["braces", `auth: { admin: { password: ${SECRET} }\n`],
  ["an escape", `password: "\\q${SECRET}"\n`],
  ["a template", `org: {{ x }}\npassword: ${SECRET}\n`],
])("no secret is shown for invalid YAML: %s", (_, text) => {
  expect(check(text).isValid).toBe(false);
  expect(allReports(text)).not.toContain(SECRET);
});

test("no secret is shown from comments that the rewriter removes", () => {
  const text = VALID_12.replace(
    "    loadBalancerIP: 203.0.113.7",
    `    loadBalancerIP: 203.0.113.7 # password: ${SECRET}\n    # password: "${SECRET}"`,
  );
  const { report, isRefused } = rewriteFile("o.yaml", Buffer.from(text), {
    envgroups: new Map(),
  });
  expect(isRefused).toBe(false);
  expect(report.comments.length).toBeGreaterThan(1);
  for (const form of ["text", "json", "markdown"] as const)
    expect(rewriteReport(report, form)).not.toContain(SECRET);
});

test("the caret remains below the key when a secret to its left is masked", () => {
  const text = withBlocks(
    VALID_13,
    `httpProxy: { password: ${SECRET}, host: h, prt: 1 }`,
  );
  const lines = textReport(check(text), false).split("\n");
  const at = lines.findIndex((line) => line.includes("httpProxy: {"));
  const caret = lines[at + 1]!.indexOf("^");
  expect(lines[at]!.slice(caret, caret + 3)).toBe("prt");
});
