import path from "node:path";
import { execFileSync, spawnSync } from "node:child_process";
import { applyPatch } from "diff";
import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { unifiedDiff } from "../../../src/overrides/report/masked-diff.js";
import { planReport } from "../../../src/overrides/report/plan.js";
import {
  dryRunValue,
  parseKubectlVersion,
} from "../../../src/overrides/upgrade/tool-table.js";
import {
  versionProblem,
  type PlanOptions,
} from "../../../src/overrides/upgrade/plan-options.js";
import { planUpgrade } from "../../../src/overrides/upgrade/plan.js";
import {
  removeSeedHost,
  setSeedHost,
} from "../../../src/overrides/upgrade/seed-host.js";
import { check, VALID_12, VALID_13 } from "../../support/overrides.js";
import { temporaryFolder } from "../../support/paths.js";

const OPTIONS: PlanOptions = {
  overrides: "o.yaml",
  oldOverrides: "/old/o.yaml",
  from: "1.2.0",
  to: "1.3.6",
  mode: "prod",
  dryRun: "client",
  kubectl: "1.18.0",
  tool: "apigeectl",
  allEnvs: false,
  settings: {
    org: "example",
    project: "project-one",
    namespace: "it's mine",
    environments: ["test", "prod"],
    groups: ["group"],
    replicas: 3,
    hasSeed: false,
    secrets: [],
  },
};

const idsOf = (options: PlanOptions): string[] =>
  planUpgrade(options).steps.map(({ id }) => id);

describe("steps", () => {
  const around = (runtime: string): string[] =>
    `P0 P1 P2 P3 P4 P5 P6 P7 P8 P9 B1 B2 B3 B4 C0 C1 C2 C3 ${runtime} D1 D2 D3 D4 D5 D6`.split(
      " ",
    );

  test("production installs component by component", () => {
    expect(idsOf(OPTIONS)).toEqual(
      around("C4-datastore C4-telemetry C4-org C4-env-test C4-env-prod"),
    );
    expect(idsOf({ ...OPTIONS, allEnvs: true })).toEqual(
      around("C4-datastore C4-telemetry C4-org C4-envs"),
    );
  });

  test("demo installs in one step, with optional backups", () => {
    const { steps } = planUpgrade({ ...OPTIONS, mode: "demo" });
    expect(steps.map(({ id }) => id)).toEqual(around("C4"));
    const optional = steps.filter(({ isOptional }) => isOptional);
    expect(optional.map(({ id }) => id)).toEqual(["P1", "P2"]);
    expect(
      planUpgrade(OPTIONS).steps.some(({ isOptional }) => isOptional),
    ).toBe(false);
  });

  test("steps that delete resources require confirmation", () => {
    const destructive = planUpgrade(OPTIONS).steps.filter(
      (step) => step.isDestructive,
    );
    expect(destructive.map(({ id }) => id)).toEqual([
      "B3",
      "B4",
      "D3",
      "D4",
      "D5",
    ]);
  });

  test("each step has undo instructions, and an action or check", () => {
    for (const { undo, actions, checks } of planUpgrade(OPTIONS).steps) {
      expect(undo).not.toBe("");
      expect(actions.length + checks.length).toBeGreaterThan(0);
    }
  });

  test("commands that are not repeatable have a check", () => {
    const options = { ...OPTIONS, cleanUp: "/clean-up" };
    const actions = planUpgrade(options).steps.flatMap((step) => step.actions);
    const once = actions.filter(
      (one) => one.kind === "command" && !one.isRepeatable,
    );
    expect(once).toHaveLength(4);
    for (const action of once) expect(action).toHaveProperty("done");
  });
});

describe("formats", () => {
  test("P3 depends on the platform", () => {
    const text = (platform?: string): string =>
      planReport(
        planUpgrade({
          ...OPTIONS,
          ...(platform === undefined ? {} : { platform }),
        }),
        "text",
      );
    expect(text("gke")).toContain("upgrade the cluster to GKE 1.15.x");
    expect(text("anthos")).toContain("upgrade the cluster to Anthos 1.5");
    expect(text("aks")).toContain("upgrade the cluster to AKS 1.16.x");
    expect(text()).toContain("GKE 1.15.x, Anthos 1.5, AKS 1.16.x");
  });

  test("JSON has all steps with their commands", () => {
    const { steps, dryRun } = JSON.parse(
      planReport(planUpgrade(OPTIONS), "json"),
    ) as { dryRun: string; steps: { id: string; commands: string[] }[] };
    expect(dryRun).toBe("client");
    const [dry] = steps.filter(({ id }) => id === "C3");
    expect(dry!.commands).toEqual([
      "apigeectl apply -f o.yaml --dry-run=client",
    ]);
  });

  test("the script is valid for sh and quotes values", () => {
    const script = planReport(planUpgrade(OPTIONS), "shell");
    execFileSync("sh", ["-n"], { input: script });
    expect(script).toContain("-n 'it'\\''s mine'");
    expect(script).toContain('"$APIGEECTL_OLD_HOME"');
  });

  test("Markdown has a heading for each step", () => {
    const text = planReport(planUpgrade(OPTIONS), "markdown");
    expect(text.match(/^### /gm)).toHaveLength(idsOf(OPTIONS).length);
  });

  test("Markdown blocks are valid for sh and change to the command's folder", () => {
    const options = {
      ...OPTIONS,
      home: "/new tool",
      overrides: "/o`$(x)`.yaml",
    };
    const text = planReport(planUpgrade(options), "markdown");
    const blocks = [...text.matchAll(/^```sh\n(.*)\n```$/gm)].map(
      ([, line]) => line!,
    );
    expect(blocks.length).toBeGreaterThan(20);
    execFileSync("sh", ["-n"], { input: blocks.join("\n") });
    expect(blocks).toContain(
      "(cd '/new tool' && apigeectl init -f '/o`$(x)`.yaml')",
    );
    expect(text).toContain("`` (cd '/new tool' && apigeectl check-ready");
    expect(text).not.toMatch(/```sh\nGET/);
  });
});

describe("versions", () => {
  test.each([
    ["1.2.0", "1.3.6", undefined],
    ["1.2.x", "1.3.6", undefined],
    ["1.2.3", "1.3.9", undefined],
    ["1.1.1", "1.3.6", /upgrade to 1.2 first/],
    ["1.3.0", "1.3.6", /from 1.3.0 are not supported, only from 1.2.x/],
    ["1.2.0", "1.3.0", /first supported version is 1.3.6/],
    ["1.2.0", "1.4.0", /upgrade to 1.3.6 first/],
    ["old", "1.3.6", /must have the form/],
  ])("%s to %s", (from, to, refusal) => {
    if (refusal === undefined) expect(versionProblem(from, to)).toBeUndefined();
    else expect(versionProblem(from, to)).toMatch(refusal);
  });

  test.each([
    ["1.15", "true"],
    ["1.17.17", "true"],
    ["v1.18.0", "client"],
    ["1.30.1", "client"],
    ["newest", undefined],
  ])("kubectl %s", (version, value) => {
    expect(dryRunValue(version)).toBe(value);
  });

  test.each([
    [
      'Client Version: version.Info{Major:"1", Minor:"17", GitVersion:"v1.17.3"}',
      "1.17.3",
    ],
    ["Client Version: v1.28.2\nKustomize Version: v5.0.4", "1.28.2"],
    ['{"clientVersion":{"gitVersion": "v1.19.0-gke"}}', "1.19.0"],
    ["nothing", undefined],
  ])("%s", (output, version) => {
    expect(parseKubectlVersion(output)).toBe(version);
  });
});

describe("setting and removing the seed host restores the file", () => {
  test.each([
    ["no block", VALID_13],
    [
      "a block",
      `${VALID_13}cassandra: # the ring\n    # three nodes\n    replicaCount: 3\n`,
    ],
    [
      "CRLF",
      `${VALID_13}cassandra:\n  replicaCount: 3\n`.replace(/\n/g, "\r\n"),
    ],
    ["a byte order mark", `\ufeff${VALID_13}`],
    ["no line break at the end", `${VALID_13}cassandra:\n  replicaCount: 3`],
  ])("%s", (_, text) => {
    const file = path.join(temporaryFolder(), "o.yaml");
    writeFileSync(file, text);
    setSeedHost(file, process.cwd(), "10.4.0.9");
    const between = readFileSync(file);
    expect(check(between, { phase: "install" }).diagnostics).toEqual([]);
    setSeedHost(file, process.cwd(), "10.4.0.8");
    expect(readFileSync(file, "utf8")).toContain("externalSeedHost: 10.4.0.8");
    removeSeedHost(file, process.cwd());
    removeSeedHost(file, process.cwd());
    expect(readFileSync(file, "utf8")).toBe(text);
    expect(check(readFileSync(file), { phase: "final" }).isValid).toBe(true);
  });

  test("a file that can't be edited is rejected with instructions", () => {
    const file = path.join(temporaryFolder(), "o.yaml");
    writeFileSync(file, `${VALID_13}cassandra: { replicaCount: 3 }\n`);
    expect(() => setSeedHost(file, process.cwd(), "10.4.0.9")).toThrow(
      "add externalSeedHost: 10.4.0.9 manually",
    );
    expect(() => setSeedHost(file, process.cwd(), "")).toThrow("no IP address");
  });
});

test("diffs can be applied by patch", () => {
  const after = VALID_12.replace("org: example", "org: other")
    .replace("ingress:\n", "")
    .trimEnd();
  const folder = temporaryFolder();
  writeFileSync(path.join(folder, "o.yaml"), VALID_12);
  const { status, error } = spawnSync("patch", ["-p1"], {
    cwd: folder,
    input: unifiedDiff("o.yaml", VALID_12, after),
  });
  if (error !== undefined) return console.info("patch is not here.");
  expect(status).toBe(0);
  expect(readFileSync(path.join(folder, "o.yaml"), "utf8")).toBe(after);
});

test("a diff of texts without common lines is one hunk", () => {
  const text = (word: string): string =>
    Array.from({ length: 20_000 }, (_, line) => `${word} ${line}`).join("\n");
  const [before, after] = [text("old"), text("new")];
  const diff = unifiedDiff("o.yaml", before, after);
  expect(diff.match(/^@@.*/gm)).toEqual(["@@ -1,20000 +1,20000 @@"]);
  expect(applyPatch(before, diff)).toBe(after);
  expect(applyPatch(before, unifiedDiff("o.yaml", before, ""))).toBe("");
});
