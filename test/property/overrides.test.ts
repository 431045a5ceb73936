import fc from "fast-check";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { rewriteFile } from "../../src/overrides/rewrite/index.js";
import {
  checkFile,
  resolveCheckOptions,
} from "../../src/overrides/validate.js";
import { files12, type Plain } from "../support/overrides-files.js";
import { rounds } from "../support/full.js";

const RUNS = rounds(1000, 100);

/** Number of random files. */
const RANDOM_FILES = rounds(1500, 150);

function errorsOf(text: string, target: string): string[] {
  return checkFile(
    "o.yaml",
    Buffer.from(text),
    resolveCheckOptions(target, { mode: "demo" }),
  )
    .diagnostics.filter(({ severity }) => severity === "error")
    .map(({ code, line, message }) => `${line} ${code} ${message}`);
}

type Keys = { [key: string]: Plain };

/** Converts settings of 1.2 to 1.3, independently of the rewriter. */
function mapped(data: Keys): Keys {
  const gcp = (data["gcp"] ?? {}) as Keys;
  const mart = data["mart"] as Keys;
  const project = data["gcpProjectID"] ?? gcp["projectID"];
  const logs = data["gcpProjectIDRuntime"];
  const cluster = (data["k8sCluster"] ?? {
    name: data["k8sClusterName"],
    region: data["k8sClusterRegion"],
  }) as { name: string; region: string };
  const newMart = without(mart, "hostAlias", "sslCertPath", "sslKeyPath");
  const ingress = data["ingress"] as Keys | undefined;
  return defined({
    ...without(
      data,
      "gcpProjectID",
      "gcpRegion",
      "gcpProjectIDRuntime",
      "k8sClusterName",
      "k8sClusterRegion",
      "ingress",
      "istio",
    ),
    gcp: defined({
      projectID: project,
      region: data["gcpRegion"] ?? gcp["region"],
      gcpProjectIDRuntime:
        gcp["gcpProjectIDRuntime"] ?? (logs === project ? undefined : logs),
    }),
    k8sCluster: cluster,
    instanceID: `${cluster.name}-${cluster.region}`.slice(0, 63),
    virtualhosts: (data["virtualhosts"] as Keys[]).map((host) =>
      defined({
        ...without(host, "hostAliases", "routingRules"),
        minTLSProtocolVersion: ingress?.["minTLSProtocolVersion"],
      }),
    ),
    mart: newMart,
    connectAgent: without((data["connectAgent"] ?? newMart) as Keys, "enabled"),
    watcher: {
      serviceAccountPath: String(mart["serviceAccountPath"]).replace(
        "-apigee-mart",
        "-apigee-watcher",
      ),
    },
    cassandra:
      data["cassandra"] === undefined
        ? undefined
        : without(data["cassandra"] as Keys, "dnsPolicy"),
  });
}

function without(keys: Keys, ...names: string[]): Keys {
  return Object.fromEntries(
    Object.entries(keys).filter(([key]) => !names.includes(key)),
  );
}

function defined(keys: Record<string, Plain | undefined>): Keys {
  return Object.fromEntries(
    Object.entries(keys).filter(([, value]) => value !== undefined),
  ) as Keys;
}

test(`${RUNS} files of 1.2: the result is valid, has the same settings and comments, and is not rewritten again`, () => {
  fc.assert(
    fc.property(files12, ({ text, data, comments }) => {
      expect(errorsOf(text, "1.2")).toEqual([]);
      const options = { envgroups: new Map<string, string>() };
      const { bytes, report, before, after } = rewriteFile(
        "o.yaml",
        Buffer.from(text),
        options,
      );
      expect(report.refusals).toEqual([]);
      const now = bytes.toString("utf8");
      expect(errorsOf(now, "1.3.6")).toEqual([]);
      expect(parse(now.replace(/^\ufeff/, ""))).toEqual(mapped(data));
      const told = new Set(report.comments.map((comment) => comment.text));
      expect(
        comments.filter(
          (comment) => !now.includes(comment) && !told.has(comment),
        ),
      ).toEqual([]);
      expect(now.startsWith("\ufeff")).toBe(text.startsWith("\ufeff"));
      expect(now.includes("\r\n")).toBe(text.includes("\r\n"));
      expect(
        now.replace(/\r\n/g, "").includes(text.includes("\r\n") ? "\n" : "\r"),
      ).toBe(false);
      expectLinesKept(before, after);
      const again = rewriteFile("o.yaml", bytes, options);
      expect(again.after).toBe(after);
      expect(again.isRefused).toBe(false);
    }),
    { numRuns: RUNS },
  );
}, 300_000);

const PIECES = [
  ..."-:#'\"[]{}&*!|>?,~ \n\r=.0x",
  ..."- |: | #|\n  |\n- |<<: |&a |*a|a: b\n|# c\n|{}|[]|null|hostAliases: [x]\n".split(
    "|",
  ),
];

test("random files do not crash the rewriter, and its result is valid and final", () => {
  let rewritten = 0;
  const spot = fc.tuple(fc.nat(), fc.constantFrom(...PIECES), fc.nat(3));
  fc.assert(
    fc.property(
      files12,
      fc.array(spot, { minLength: 1, maxLength: 3 }),
      (base, spots) => {
        let { text } = base;
        for (const [place, piece, taken] of spots) {
          const at = place % (text.length + 1);
          text = text.slice(0, at) + piece + text.slice(at + taken);
        }
        const options = { envgroups: new Map<string, string>() };
        const { bytes, isRefused } = rewriteFile(
          "o.yaml",
          Buffer.from(text),
          options,
        );
        if (isRefused) {
          expect(bytes.equals(Buffer.from(text))).toBe(true);
          return;
        }
        rewritten++;
        const now = bytes.toString("utf8");
        if (now !== text) expect(errorsOf(now, "1.3.6"), text).toEqual([]);
        const again = rewriteFile("o.yaml", bytes, options);
        expect(again.bytes.toString("utf8"), text).toBe(now);
        expect(again.isRefused, text).toBe(false);
      },
    ),
    { numRuns: RANDOM_FILES, seed: 12 },
  );
  expect(rewritten).toBeGreaterThan(RANDOM_FILES / 8);
}, 300_000);

const FRESH =
  /^\s*\r?$|instanceID|serviceAccountPath|gcp|k8sCluster|projectID|region|name|connectAgent|watcher|minTLS|- |\}/;

/** Checks that unchanged lines remain in their order. */
function expectLinesKept(before: string, after: string): void {
  const [old, now] = [before, after].map((text) => text.split(/\r?\n/));
  const known = new Set(old);
  const fresh = now!.filter((line) => !known.has(line));
  expect(fresh.filter((line) => !FRESH.test(line))).toEqual([]);
  const isOnce = (lines: readonly string[], line: string): boolean =>
    lines.indexOf(line) === lines.lastIndexOf(line);
  const common = old!.filter(
    (line) =>
      !/minTLS/.test(line) &&
      now!.includes(line) &&
      isOnce(old!, line) &&
      isOnce(now!, line),
  );
  const inNew = now!.filter((line) => common.includes(line));
  expect(inNew).toEqual(common);
}
