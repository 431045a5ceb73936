import { describe, expect, test } from "vitest";
import {
  briefly,
  check,
  VALID_13,
  withBlocks,
} from "../../support/overrides.js";

describe("files that are rejected before the check", () => {
  test.each([
    ["nothing", "", "S03 1:1 error"],
    ["white space", " \n\n", "S03 1:1 error"],
    ["comments", "# a\n# b\n", "S03 1:1 error"],
    ["only a document separator", "---\n", "S03 1:1 error"],
    ["null", "null\n", "S03 1:1 error"],
    ["a list", "\n- a\n", "S06 2:1 error"],
    ["a word", "word\n", "S06 1:1 error"],
    ["a tab", "org: a\nruntime:\n\tservice: {}\n", "S02 3:1 error"],
    ["an unclosed bracket", "org: [a\n", "S02 2:1 error"],
    ["an unclosed quote", 'org: "a\nx: b\n', "S02 3:1 error"],
    ["an alias without an anchor", "org: *a\n", "S02 1:6 error"],
    ["two documents", "org: a\n---\norg: b\n", "S04 2:1 error"],
    ["a template", "a: 1\norg: {{ org }}\n", "S08 2:6 error"],
    ["a template in quotes", 'org: "{{org}}"\n', "S08 1:7 error"],
    ["a template with a condition", "{% if x %}\norg: a\n", "S08 1:1 error"],
  ])("%s", (_, text, expected) => {
    const checked = check(text);
    expect(briefly(checked)).toEqual([expected]);
    expect(checked.isValid).toBe(false);
    expect(checked.isReadable).toBe(true);
  });

  test.each([
    ["UTF-16", Buffer.from("\ufefforg: a\n", "utf16le"), "S01 1:1 error"],
    ["Latin-1", Buffer.from("org: a\nx: \xe4\n", "latin1"), "S01 2:4 error"],
    ["zeros", Buffer.from("org: a\0\n"), "S01 1:7 error"],
  ])("%s", (_, bytes, expected) => {
    const checked = check(bytes);
    expect(briefly(checked)).toEqual([expected]);
    expect(checked.isReadable).toBe(false);
  });
});

describe("encodings and layouts without findings", () => {
  test.each([
    ["a byte order mark", `\ufeff${VALID_13}`],
    ["CRLF", VALID_13.replace(/\n/g, "\r\n")],
    ["a marker above", `---\n${VALID_13}`],
    ["a marker below", `${VALID_13}...\n`],
    ["no line break at the end of the file", VALID_13.trimEnd()],
    ["a template in a comment", `# {{ org }}\n${VALID_13}`],
    ["YAML's own tags", VALID_13.replace("org: ", "org: !!str ")],
    ["JSON", JSON.stringify(asJson())],
  ])("%s", (_, text) => {
    expect(briefly(check(text))).toEqual([]);
  });

  test("columns do not include the byte order mark", () => {
    expect(briefly(check(`\ufeffog: x\n${VALID_13}`))).toContain(
      "T01 1:1 error",
    );
  });
});

/** The settings of VALID_13 as JSON. */
function asJson(): object {
  const account = { serviceAccountPath: "./accounts/mart.json" };
  return {
    org: "example",
    instanceID: "cluster-one-us-east1",
    gcp: { projectID: "project-one", region: "us-east1" },
    k8sCluster: { name: "cluster-one", region: "us-east1" },
    virtualhosts: [{ name: "group", sslSecret: "group-tls" }],
    envs: [
      { name: "test", serviceAccountPaths: { synchronizer: "s", udca: "u" } },
    ],
    mart: account,
    connectAgent: account,
    metrics: account,
    watcher: account,
  };
}

describe("aliases", () => {
  test("an aliased value is checked once, at its anchor", () => {
    const text = withBlocks(
      VALID_13,
      "runtime:\n  livenessProbe: &probe\n    periodSeconds: 0\nmart:\n  serviceAccountPath: ./accounts/mart.json\n  livenessProbe: *probe",
    );
    expect(briefly(check(text))).toEqual([
      "T03 26:20 error",
      "S07 29:18 warning",
    ]);
  });

  test("a key overrides the same key of a merge", () => {
    const text = withBlocks(
      VALID_13,
      "virtualhosts:\n  - &one\n    name: one\n    sslSecret: one-tls\n  - <<: *one\n    name: two",
    );
    expect(briefly(check(text))).toEqual(["S07 26:9 warning"]);
  });

  test("an alias bomb is rejected before it expands", () => {
    const bomb = ["org: a", "a0: &a0 [x]"];
    for (let index = 1; index < 40; index++)
      bomb.push(`a${index}: &a${index} [${`*a${index - 1},`.repeat(9)}]`);
    const [found, ...more] = check(`${bomb.join("\n")}\n`).diagnostics;
    expect(more).toEqual([]);
    expect(found).toMatchObject({ code: "S07", severity: "error", line: 3 });
  });

  test("a cyclic alias is rejected", () => {
    expect(briefly(check("org: a\nruntime: &r\n  image: *r\n"))).toEqual([
      "S07 3:10 error",
    ]);
  });

  test("deeply nested values do not crash", () => {
    const deep = `a: ${"[".repeat(20_000)}`;
    expect(check(deep).isValid).toBe(false);
    expect(check(`a: ${"{a: ".repeat(5000)}`).isValid).toBe(false);
    const closed = `a: ${"[".repeat(3000)}${"]".repeat(3000)}\n`;
    expect(briefly(check(closed)).join()).toMatch(/^S02 1:\d+ error$/);
    const lines = Array.from({ length: 1000 }, (_, n) => `${" ".repeat(n)}a:`);
    expect(briefly(check(lines.join("\n"))).join()).toMatch(
      /^S02 [\d:]+ error$/,
    );
  });
});
