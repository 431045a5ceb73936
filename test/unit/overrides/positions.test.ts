import { expect, test } from "vitest";
import {
  briefly,
  check,
  VALID_13,
  withBlocks,
} from "../../support/overrides.js";

/** Snippets appended to the base, with the expected findings; lines are relative to the snippet. */
const CASES: readonly (readonly [string, string, readonly string[]])[] = [
  ["nothing to find", "", []],
  ["S05", "runtime: {}\nruntime: {}", ["S05 2:1 error"]],
  [
    "S05 within a block",
    "runtime:\n  replicaCountMin: 1\n  replicaCountMin: 2",
    ["S05 3:3 error"],
  ],
  [
    "S05 in a block of a newer version",
    "istiod:\n  a: 1\n  b: { c: 1, c: 2 }",
    ["T07 1:1 error", "S05 3:14 error"],
  ],
  [
    "S05 in an unknown block",
    "entirelyElse:\n  - a: 1\n    a: 1",
    ["T01 1:1 error", "S05 3:5 error"],
  ],
  [
    "S07",
    "logger: &l\n  enabled: false\nnodeSelector: {}\nruntime:\n  image: *l",
    ["T01 2:3 error", "S07 5:10 warning"],
  ],
  ["S09", "namespace: $NS", ["S09 1:12 warning"]],
  ["S09 in the middle of a value", "namespace: a-${NS}", ["S09 1:14 warning"]],
  ["S09 with angle brackets", "namespace: <ns>", ["S09 1:12 warning"]],
  ["S09 that shouts", "namespace: MY_NAMESPACE", ["S09 1:12 warning"]],
  ["S10 for a boolean", "cassandra:\n  hostNetwork: off", ["S10 2:16 warning"]],
  ["S09 not within a password", "httpProxy:\n  password: pa$word<x>", []],
  ["S09 a password", "httpProxy:\n  password: $WORD", ["S09 2:13 warning"]],
  ["S10 for text", "namespace: no", ["S10 1:12 error"]],
  ["S11 tag", "namespace: !x apigee", ["S11 1:12 error"]],
  ["S11 key", "runtime:\n  1: x", ["S11 2:3 error"]],
  ["T01 typo", "runtim:\n  replicaCountMin: 1", ["T01 1:1 error"]],
  [
    "T01 typo, and a mistake below it",
    "runtim:\n  replicaCountMin: 0",
    ["T01 1:1 error", "T03 2:20 error"],
  ],
  [
    "T01 typo in one of two elements, and a mistake in its value",
    "virtualhosts:\n  - name: one\n    sslSecret: s\n  - name: two\n    sslSecrt: No",
    ["T01 5:5 error", "S10 5:15 error"],
  ],
  ["T01 level", "runtime:\n  resources:\n    cpu: 1", ["T01 3:5 error"]],
  [
    "T02 text for a number",
    'runtime:\n  replicaCountMin: "2"',
    ["T02 2:20 error"],
  ],
  ["T02 number for text", "namespace: 12", ["T02 1:12 error"]],
  ["T02 list for a block", "runtime:\n  - image", ["T02 1:1 error"]],
  ["T02 text for a block", "runtime: big", ["T02 1:10 error"]],
  ["T02 fraction", "runtime:\n  replicaCountMin: 1.5", ["T02 2:20 error"]],
  [
    "T03 enumeration",
    "runtime:\n  service:\n    type: clusterip",
    ["T03 3:11 error"],
  ],
  ["T03 pattern", "namespace: Upper", ["T03 1:12 error"]],
  ["T03 range", "cassandra:\n  port: 70000", ["T03 2:9 error"]],
  [
    "T03 more than one watcher",
    "watcher:\n  serviceAccountPath: a\n  replicaCountMax: 2",
    ["T03 3:20 warning"],
  ],
  [
    "T03 heaps",
    "cassandra:\n  maxHeapSize: 512M\n  heapNewSize: 1G",
    ["T03 3:16 error"],
  ],
  ["T04 in a block", "k8sCluster:\n  name: one", ["T04 1:1 error"]],
  ["T04 in an element", "imagePullSecrets:\n  - {}", ["T04 2:5 error"]],
  [
    "T04 incomplete pair",
    "cassandra:\n  nodeSelector:\n    key: pool",
    ["T04 2:3 error"],
  ],
  ["T04 a warning", "gcp:\n  projectID: project-one", ["T04 1:1 warning"]],
  ["T05 nothing", "runtime:", ["T05 1:1 warning"]],
  ["T05 where required", "org:", ["T05 1:1 error"]],
  ["T05 empty text", 'namespace: ""', ["T05 1:12 warning"]],
  ["T05 empty list", "virtualhosts: []", ["T05 1:15 error"]],
  [
    "T06",
    "cassandra:\n  storage:\n    storageClass: x\n    capacity: 1Gi",
    ["T06 3:5 warning"],
  ],
  ["T06 an info", "validateOrg: true", ["T06 1:1 info"]],
  [
    "T06 separate project equal to the project",
    "gcp:\n  projectID: project-one\n  region: r\n  gcpProjectIDRuntime: project-one",
    ["T06 4:3 info"],
  ],
  ["T07 block", "istiod:\n  a: 1", ["T07 1:1 error"]],
  ["T07 value", "hub: example.com", ["T07 1:1 warning"]],
  ["T08", "gcpRegion: us-east1", ["T08 1:1 error"]],
  [
    "T09 memory",
    "runtime:\n  resources:\n    requests:\n      memory: 512m",
    ["T09 4:15 warning"],
  ],
  [
    "T09 cores",
    "runtime:\n  resources:\n    requests: { cpu: 500 }",
    ["T09 3:22 warning"],
  ],
  [
    "T09 request above limit",
    "ao:\n  resources:\n    requests:\n      memory: 2Gi\n    limits:\n      memory: 1Gi",
    ["T09 4:15 warning"],
  ],
  ["X01", `instanceID: ${"a".repeat(64)}`, ["X01 1:13 error"]],
  ["X01 at its limit", `instanceID: ${"a".repeat(63)}`, []],
  ["X01 bytes", `instanceID: ${"ä".repeat(40)}`, ["X01 1:13 warning"]],
  ["X02 none", "mart:\n  replicaCountMin: 1", ["X02 1:1 error"]],
  [
    "X02 both",
    "watcher:\n  serviceAccountPath: a\n  serviceAccountRef: b",
    ["X02 3:3 error"],
  ],
  [
    "X02 of an environment",
    "envs:\n  - name: one\n    serviceAccountPaths:\n      synchronizer: a",
    ["X02 3:5 error"],
  ],
  [
    "X02 of an environment, given for all",
    "envs:\n  - name: one\nsynchronizer:\n  serviceAccountPath: a\nudca:\n  serviceAccountRef: b",
    [],
  ],
  ["X02 logger", "logger:\n  enabled: true", ["X02 1:1 error"]],
  [
    "X03 incomplete pair",
    "virtualhosts:\n  - name: one\n    sslKeyPath: k",
    ["X03 3:5 error"],
  ],
  [
    "X03 both",
    "virtualhosts:\n  - name: one\n    sslKeyPath: k\n    sslCertPath: c\n    sslSecret: s",
    ["X03 5:5 error"],
  ],
  ["X03 none", "virtualhosts:\n  - name: one", ["X03 2:5 error"]],
  [
    "X03 mutual",
    "virtualhosts:\n  - name: one\n    sslCertPath: c\n    sslKeyPath: k\n    tlsMode: MUTUAL",
    ["X03 2:5 error"],
  ],
  [
    "X04",
    "mart:\n  serviceAccountPath: a\nconnectAgent:\n  serviceAccountPath: b",
    ["X04 4:23 warning"],
  ],
  [
    "X05",
    "virtualhosts:\n  - name: one\n    sslSecret: s\n  - name: one\n    sslSecret: t",
    ["X05 4:11 error"],
  ],
  [
    "X06",
    "runtime:\n  replicaCountMin: 3\n  replicaCountMax: 2",
    ["X06 2:20 error"],
  ],
  [
    "X07",
    'virtualhosts:\n  - name: one\n    sslSecret: s\n    minTLSProtocolVersion: "1.3"\n    maxTLSProtocolVersion: "1.1"',
    ["X07 4:28 error"],
  ],
  [
    "X07 unquoted",
    "virtualhosts:\n  - name: one\n    sslSecret: s\n    minTLSProtocolVersion: 1.2",
    ["T02 4:28 error"],
  ],
  [
    "X09 bucket",
    "cassandra:\n  backup:\n    enabled: true\n    serviceAccountPath: a",
    ["X09 2:3 error"],
  ],
  [
    "X09 server",
    "cassandra:\n  backup:\n    enabled: true\n    cloudProvider: HYBRID\n    server: 10.0.0.1\n    keyfile: k",
    ["X09 2:3 error"],
  ],
  [
    "X09 snapshot",
    "cassandra:\n  restore:\n    enabled: true\n    serviceAccountPath: a\n    dbStorageBucket: b",
    ["X09 2:3 error"],
  ],
  [
    "X10 present",
    "cassandra:\n  externalSeedHost: 10.0.0.1",
    ["X10 2:3 warning"],
  ],
  [
    "X10 both",
    "cassandra:\n  externalSeedHost: 10.0.0.1\n  multiRegionSeedHost: 10.0.0.2",
    ["X10 2:3 warning"],
  ],
  ["X11 length", "kmsEncryptionKey: c2hvcnQ=", ["X11 1:19 error"]],
  [
    "X11 two forms",
    "kvmEncryptionKey: MDEyMzQ1Njc4OWFiY2RlZg==\nkvmEncryptionPath: k",
    ["X11 2:1 error"],
  ],
  ["X12 beside a stanza above", "gcpRegion: europe-west1", ["X12 1:1 error"]],
  [
    "X12",
    "gcp:\n  projectID: project-one\n  region: us-east1\ngcpRegion: europe-west1",
    ["X12 4:1 error"],
  ],
  [
    "X13 password and secret",
    "cassandra:\n  auth:\n    default:\n      password: long-enough\n    secret: s",
    ["X13 5:5 warning"],
  ],
  ["X14", `org: ${"o".repeat(33)}`, ["X14 1:6 error"]],
  ["X14 at its limit", `org: ${"o".repeat(32)}`, []],
];

test.each(CASES)("%s", (_, snippet, expected) => {
  const text = withBlocks(VALID_13, snippet);
  const offset = text.split("\n").length - snippet.split("\n").length - 1;
  const found = briefly(check(text)).map((line) =>
    line.replace(/ (\d+):/, (_match, number) => ` ${Number(number) - offset}:`),
  );
  expect(found).toEqual(expected);
});

test("production: node pools must be required for scheduling", () => {
  const text = withBlocks(
    VALID_13,
    "nodeSelector:\n  requiredForScheduling: false",
  );
  const found = briefly(check(text, { mode: "prod" }));
  expect(found).toContain("X13 27:26 error");
  expect(briefly(check(text))).toEqual([]);
});

test("production: replicas and public defaults", () => {
  const at = (mode?: "prod"): string[] =>
    briefly(
      check(
        withBlocks(VALID_13, "cassandra:\n  replicaCount: 4"),
        mode === undefined ? {} : { mode },
      ),
    );
  expect(at()).toEqual([]);
  expect(at("prod")).toEqual([
    "X13 1:1 warning",
    "X13 26:1 warning",
    "X08 27:17 error",
  ]);
});
