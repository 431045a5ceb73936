import { spawnSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { SCRIPT_PRELUDE } from "../../../src/overrides/report/script.js";
import { unmetReason } from "../../../src/overrides/upgrade/command-runner.js";
import type { Expectation } from "../../../src/overrides/upgrade/step.js";
import { runScript, SCRIPT_OPTIONS } from "../../support/shell-plan.js";

describe("the script of a plan", () => {
  test("runs from the first step to the last", () => {
    const { status, output, calls } = runScript(SCRIPT_OPTIONS);
    expect(output).toContain("D6 Check that the overrides file");
    expect(status).toBe(0);
    expect(calls).toContain("clean-up");
    expect(calls.filter((line) => line.startsWith("old-apigeectl"))).toEqual([
      "old-apigeectl delete -s virtualhost -f o.yaml.bak",
      "old-apigeectl delete -c mart,connect-agent,synchronizer,runtime,udca,metrics,logger -f o.yaml.bak",
    ]);
  });

  test("stops wherever a command fails", () => {
    const { calls } = runScript(SCRIPT_OPTIONS);
    const lines = [...new Set(calls)];
    expect(lines.length).toBeGreaterThan(27);
    for (const fail of lines) {
      const ended = runScript(SCRIPT_OPTIONS, { fail });
      expect(ended.status, fail).not.toBe(0);
      const first = ended.calls.indexOf(fail);
      const after = ended.calls.slice(first);
      expect(after.length, fail).toBeLessThanOrEqual(2);
      expect(new Set(after), fail).toEqual(new Set([fail]));
    }
  }, 120_000);

  test.each([
    ["no node of the cluster", "kubectl get nodes", ""],
    ["a node that is not ready", "kubectl get nodes", "a Ready\nb NotReady\n"],
    ["no pod of the mesh", "kubectl -n istio-system", ""],
    ["a pod that is not ready", "kubectl -n istio-system", "a 1/2 Running\n"],
    [
      "no resource of the old runtime",
      "kubectl get deployments,statefulsets,daemonsets",
      "",
    ],
    [
      "old resources that remain",
      "kubectl get deployments,statefulsets,daemonsets",
      "deployment.apps/apigee-mart-old\n",
    ],
    [
      "a split ring",
      "kubectl exec apigee-cassandra-default-0",
      "Datacenter: dc-1\nUN 10.4.0.20 1 MB\n",
    ],
    [
      "a joining node",
      "kubectl exec apigee-cassandra-default-0",
      "Datacenter: dc-1\nUN 10.4.0.9 1 MB\nUJ 10.4.0.20 1 MB\n",
    ],
    ["an empty ring", "kubectl exec apigee-cassandra-default-0", ""],
    [
      "an old database that remains",
      "kubectl exec apigee-cassandra-default-0",
      "Datacenter: dc-1\nUN 10.4.0.9 1 MB\nUN 10.4.0.20 1 MB\n",
    ],
    ["a definition that remains", "kubectl get crd", "crd\n"],
    [
      "an API that is not listed",
      "gcloud services list",
      "other.googleapis.com\n",
    ],
    [
      "an account without its role",
      "gcloud projects get-iam-policy",
      "deleted:serviceAccount:apigee-mart@project-one.iam.gserviceaccount.com?uid=1\n",
    ],
  ])("stops for %s", (_, call, text) => {
    const { status, output } = runScript(SCRIPT_OPTIONS, {
      answers: { [call]: text },
    });
    expect(output).toMatch(/check failed|stopped/);
    expect(status).toBe(1);
  });

  test("shows details before a question, and stops at any answer except y", () => {
    const good = runScript(SCRIPT_OPTIONS);
    expect(good.output).toContain(
      "  kubectl delete crd --ignore-not-found apigeetelemetries.apigee.cloud.google.com\n",
    );
    expect(good.output).toContain(
      "  gen overrides validate o.yaml --mode prod --check-paths\n",
    );
    const questions = good.output.match(/\[y\/N\]/g)!.length;
    expect(questions).toBeGreaterThan(10);
    for (let count = 0; count < questions; count++) {
      const ended = runScript(SCRIPT_OPTIONS, {
        input: `${"y\n".repeat(count)}${["n\n", "\n", "", "yes\n"][count % 4]}`,
      });
      expect(ended.status).toBe(1);
      expect(ended.output.match(/\[y\/N\]/g)).toHaveLength(count + 1);
    }
  }, 60_000);

  test("stops before the first step if a variable has no value", () => {
    const { oldHome: _, ...options } = SCRIPT_OPTIONS;
    const { status, output, calls } = runScript(options);
    expect(output).toContain("must be the folder of the old apigeectl");
    expect(status).not.toBe(0);
    expect(calls).toEqual([]);
  });
});

const RING = "Datacenter: a\nUN 1 x\nUN 2 x\n";
const OLD = ["deployment.apps/mart", "deployment.apps/udca"];

/** Runner and script must agree on each condition. */
test.each<readonly [Expectation, string, string, boolean]>([
  [{ kind: "nothing" }, "is_empty", "", true],
  [{ kind: "nothing" }, "is_empty", "one", false],
  [{ kind: "contains", text: "a*b" }, "contains 'a*b'", "xa*by", true],
  [{ kind: "contains", text: "a*b" }, "contains 'a*b'", "xaaby", false],
  [{ kind: "line", text: "a b" }, "has_line 'a b'", "x\na b\ny", true],
  [{ kind: "line", text: "a b" }, "has_line 'a b'", "xa b", false],
  [{ kind: "line", text: "a" }, "has_line 'a'", "", false],
  [
    { kind: "nodes-ready" },
    "nodes_ready",
    "a Ready\nb Ready,SchedulingDisabled",
    true,
  ],
  [{ kind: "nodes-ready" }, "nodes_ready", "a Ready\nb NotReady", false],
  [
    { kind: "nodes-ready" },
    "nodes_ready",
    "NotReady Ready\nb Unknown\nc Ready",
    false,
  ],
  [{ kind: "nodes-ready" }, "nodes_ready", "", false],
  [
    { kind: "pods-ready" },
    "pods_ready",
    "a 2/2 Running\nb 0/1 Completed",
    true,
  ],
  [{ kind: "pods-ready" }, "pods_ready", "a 1/2 Running", false],
  [
    { kind: "pods-ready" },
    "pods_ready",
    "a 0/1 CrashLoopBackOff\nb 1/1 Running",
    false,
  ],
  [{ kind: "pods-ready" }, "pods_ready", "a 10/10 Pending", false],
  [{ kind: "pods-ready" }, "pods_ready", "", false],
  ...(
    [
      ["a/pilot:1.5.7 b/x:1.5.10-asm.0", true],
      ["a/pilot:2.0.0", true],
      ["a/pilot:1.5.6", false],
      ["a/pilot:1.5.7 b/x:1.4.10", false],
      ["a/pilot:latest", false],
      ["a/pilot:1.5", false],
      ["", false],
    ] as const
  ).map(
    ([images, isMet]) =>
      [
        { kind: "images", least: "1.5.7" },
        "images_have '1.5.7'",
        images,
        isMet,
      ] as const,
  ),
  [{ kind: "ring", least: 2 }, "ring 2 ''", RING, true],
  [{ kind: "ring", least: 3 }, "ring 3 ''", RING, false],
  [{ kind: "ring", least: 1, most: 1 }, "ring 1 1", RING, false],
  [{ kind: "ring", least: 2, most: 2 }, "ring 2 2", `${RING}${RING}`, true],
  [{ kind: "ring", least: 2 }, "ring 2 ''", `${RING}DN 3 x`, false],
  [{ kind: "ring", least: 2 }, "ring 2 ''", `${RING}UL 3 x`, false],
  [{ kind: "ring", least: 1 }, "ring 1 ''", "", false],
  [{ kind: "old-gone" }, "old_gone", "deployment.apps/mart-new", true],
  [{ kind: "old-gone" }, "old_gone", "x\ndeployment.apps/udca", false],
])("%o: %s for %j is %s", (expectation, condition, stdout, isMet) => {
  const reason = unmetReason(
    expectation,
    { code: 0, stdout, isTimedOut: false },
    OLD,
  );
  expect(reason === undefined).toBe(isMet);
  const failed = { code: 1, stdout, isTimedOut: false };
  expect(unmetReason(expectation, failed, OLD)).toBe("exit code 1");
  const script = `${SCRIPT_PRELUDE}\nold='${OLD.join("\n")}'\nout=$OUT\nif ${condition}; then exit 0; else exit 9; fi\n`;
  const { status } = spawnSync("sh", ["-c", script], {
    env: { PATH: process.env["PATH"], OUT: stdout.replace(/\n+$/, "") },
  });
  expect(status).toBe(isMet ? 0 : 9);
});
