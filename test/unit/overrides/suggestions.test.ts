import { expect, test } from "vitest";
import { editDistance } from "../../../src/diagnostics/closest.js";
import { check, VALID_13, withBlocks } from "../../support/overrides.js";

test.each([
  ["namepace: a", 'did you mean "namespace"?'],
  ["Namespace: a", 'did you mean "namespace"?'],
  ["connect_agent:\n  replicaCountMin: 1", 'did you mean "connectAgent"?'],
  ["runtime:\n  resources:\n    cpu: 1", "belongs under resources.requests"],
  ["runtime:\n  requests:\n    cpu: 1", "belongs under resources"],
  [
    "gcp:\n  projectID: project-one\n  region: r\n  name: one",
    "belongs to k8sCluster",
  ],
  ["projectID: project-one", "belongs to gcp"],
  ["runtime:\n  namespace: apigee", "belongs at the top level"],
  ["runtime:\n  replicateCountMax: 2", 'did you mean "replicaCountMax"?'],
  [
    "replicateCountMax: 2",
    /did you mean "replicaCountMax"\? it belongs to \w+/,
  ],
  ["k8s:\n  name: one\n  region: two", 'did you mean "k8sCluster"?'],
  ["k8sCluster:\n  clusterName: one\n  region: two", 'did you mean "name"?'],
  ["entirelyElse: 1", ""],
])("%s", (snippet, suggestion) => {
  const { diagnostics } = check(withBlocks(VALID_13, snippet));
  const [found] = diagnostics.filter(({ code }) => code === "T01");
  if (typeof suggestion === "string")
    expect(found?.suggestion).toBe(suggestion);
  else expect(found?.suggestion).toMatch(suggestion);
});

test("one cause is reported once", () => {
  const lines = VALID_13.split("\n");
  for (const [index, line] of lines.entries()) {
    const key = /^( *(?:- )?)(\w+):/.exec(line);
    if (key === null) continue;
    const [, space = "", name = ""] = key;
    const typo = `${space}${name.slice(0, 1)}x${name.slice(1)}:`;
    const text = [...lines];
    text[index] = line.replace(/^ *(?:- )?\w+:/, typo);
    const found = check(text.join("\n")).diagnostics;
    expect(found.map(({ code, line: at }) => `${code} ${at}`)).toEqual([
      `T01 ${index + 1}`,
    ]);
  }
});

test("a key in the wrong block is reported once", () => {
  const text =
    VALID_13.replace("  region: us-east1\nk8s", "k8s") + "region: r\n";
  expect(check(text).diagnostics).toMatchObject([
    { code: "T01", line: 25, suggestion: "belongs to gcp" },
  ]);
});

test("swapping neighbours is one edit, and the distance stops at the limit", () => {
  expect(editDistance("mart", "amrt", 3)).toBe(1);
  expect(editDistance("kitten", "sitting", 9)).toBe(3);
  expect(editDistance("kitten", "sitting", 3)).toBe(3);
  expect(editDistance("", "ab", 9)).toBe(2);
});
