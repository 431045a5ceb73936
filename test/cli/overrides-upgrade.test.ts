import { existsSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import {
  fakeCluster,
  OVERRIDES,
  PLAN,
  type Cluster,
} from "../support/fake-cluster.js";
import { VALID_12 } from "../support/overrides.js";
import { isFull, rounds } from "../support/full.js";
import { acquireLock } from "../../src/platform/lock.js";

/** Effects of an upgrade on the cluster, in order, each exactly once. */
const EFFECTS = [
  "gcloud services enable apigeeconnect.googleapis.com --project=project-one",
  "gcloud projects add-iam-policy-binding project-one --member=serviceAccount:apigee-mart@project-one.iam.gserviceaccount.com --role=roles/apigeeconnect.Agent",
  "create-service-account apigee-watcher ./service-accounts",
  "gcloud projects add-iam-policy-binding project-one --member=serviceAccount:apigee-watcher@project-one.iam.gserviceaccount.com --role=roles/apigee.runtimeAgent",
  "kubectl -n istio-system scale deployment pilot --replicas=2",
  'kubectl -n istio-system patch hpa pilot --type merge -p {"spec":{"minReplicas":2}}',
  "curl -fsSL --proto =https -o ./cert-manager-v0.14.2.yaml https://github.com/jetstack/cert-manager/releases/download/v0.14.2/cert-manager.yaml",
  "kubectl apply --validate=false --dry-run=true -f ./cert-manager-v0.14.2.yaml",
  "kubectl delete deployment cert-manager cert-manager-cainjector cert-manager-webhook --ignore-not-found -n cert-manager",
  "kubectl apply --validate=false -f ./cert-manager-v0.14.2.yaml",
  "kubectl delete job --ignore-not-found apigee-resources-install -n apigee",
  "kubectl delete crd --ignore-not-found apigeetelemetries.apigee.cloud.google.com",
  "apigeectl init -f o.yaml",
  "apigeectl apply -f o.yaml --dry-run=true",
  "apigeectl apply -f o.yaml",
  "apigeectl apply -f o.yaml --datastore",
  "apigeectl delete -s virtualhost -f $/o.yaml.bak",
  "apigeectl delete -c mart,connect-agent,synchronizer,runtime,udca,metrics,logger -f $/o.yaml.bak",
  "clean-up",
  "kubectl delete deployments istio-citadel istio-galley istio-policy istio-sidecar-injector istio-telemetry istio-pilot --ignore-not-found -n istio-system",
  "kubectl delete services istio-citadel istio-galley istio-policy istio-sidecar-injector istio-telemetry --ignore-not-found -n istio-system",
  "kubectl delete jobs --field-selector=status.successful=1 --ignore-not-found -n istio-system",
];

const backup = {
  status: "done",
  actions: 1,
  startedAt: "2026-01-31T12:00:00.000Z",
};

/** Effects that must not happen twice; the fake programs fail if they do. */
const ONCE = /^(create-service-account|apigeectl delete -c|clean-up)/;

function effectsOf(cluster: Cluster): string[] {
  return cluster
    .effects()
    .map((line) => line.replace(cluster.folder, "$").trimEnd());
}

function stateOf({ folder }: Cluster): string {
  return path.join(folder, "o.yaml.upgrade.json");
}

function expectDone(cluster: Cluster): void {
  expect(cluster.overrides()).toBe(OVERRIDES);
  expect(cluster.properties()).toEqual({
    property: [
      { name: "kept", value: "yes" },
      { name: "features.hybrid.enabled", value: "true" },
      { name: "features.mart.connect.enabled", value: "true" },
    ],
  });
}

test("an upgrade runs from the first step to the last", async () => {
  const cluster = await fakeCluster();
  const { status, output } = await cluster.run("--yes");
  expect(output).toContain("the upgrade is done");
  expect(status).toBe(0);
  expect(effectsOf(cluster)).toEqual(EFFECTS);
  expectDone(cluster);
  expect(output).toContain("not yet: all pods are ready: exit code 1");
  expect(output).toContain("nodes not up: 1 of 2");
  expect(output + cluster.state()).not.toMatch(/hunter2horse|secret-token-1/);
  expect(output).toContain("*** is a password");
  expect((await cluster.upgrade("status", ...PLAN)).status).toBe(0);
  const recorded = PLAN.filter(
    (word) => !["--from", "1.2.0", "--mode", "demo"].includes(word),
  );
  expect((await cluster.upgrade("status", ...recorded)).status).toBe(0);
  const other = await cluster.upgrade("status", ...recorded, "--from", "1.2.1");
  expect(other.output).toContain("--from was 1.2.0 and is now 1.2.1");
  const missing = await cluster.upgrade("status", ...recorded, "--state", "no");
  expect(missing.output).toContain("--from must be the installed version");
  expect(missing.status).toBe(2);
  expect(await cluster.run("--yes")).toMatchObject({ status: 0 });
  expect(effectsOf(cluster)).toEqual(EFFECTS);
});

test("production: backups, and installation by component", async () => {
  const cluster = await fakeCluster();
  const production = OVERRIDES.replace("replicaCount: 1", "replicaCount: 3");
  writeFileSync(path.join(cluster.folder, "o.yaml"), production);
  const plan = [...PLAN, "--mode", "prod", "--all-envs"];
  const { output } = await cluster.upgrade("plan", ...plan, "--format", "json");
  const { steps } = JSON.parse(output) as { steps: { id: string }[] };
  const ids = steps.map(({ id }) => id);
  expect(ids.filter((id) => id.startsWith("C4"))).toEqual([
    "C4-datastore",
    "C4-telemetry",
    "C4-org",
    "C4-envs",
  ]);
  const only = (...steps: string[]) =>
    cluster.run(
      "--mode",
      "prod",
      "--all-envs",
      ...steps.flatMap((step) => ["--only", step]),
    );
  const early = await only("C4-org");
  expect(early.output).toContain("C4-org stopped: cassandra.externalSeedHost");
  const ended = await only("P1", "C1", "C4-org");
  expect(ended.output).toContain("ok: the archive can be read");
  expect(effectsOf(cluster)).toEqual(["apigeectl apply -f o.yaml --org"]);
});

/** Moments of the kills; `npm test` tries the first, at every sixth command. */
const KILL_MODES = ["before", "orphan", "after"] as const;

const KILL_EVERY = rounds(1, 6);

describe("a run that is killed at one command after another", () => {
  test.each(isFull ? KILL_MODES : KILL_MODES.slice(0, 1))(
    "%s: nothing is skipped, nothing is done twice that must not be",
    async (mode) => {
      const cluster = await fakeCluster();
      cluster.killEach(mode, KILL_EVERY);
      let kills = 0;
      let last = await cluster.run("--yes");
      for (; last.signal === "SIGKILL" && kills < 200; kills++)
        last = await cluster.run("--yes");
      expect(last.output).toContain("the upgrade is done");
      expect(last.status).toBe(0);
      expect(kills).toBeGreaterThan(EFFECTS.length / KILL_EVERY);
      const effects = effectsOf(cluster);
      expect([...new Set(effects)]).toEqual(EFFECTS);
      for (const line of effects.filter((one) => ONCE.test(one)))
        expect(effects.filter((other) => other === line)).toHaveLength(1);
      expectDone(cluster);
      const files = readdirSync(cluster.folder);
      expect(files.filter((name) => /\.(tmp|lock)$/.test(name))).toEqual([]);
    },
    300_000,
  );
});

test("a run that is killed at random moments", async () => {
  const cluster = await fakeCluster();
  let last = await cluster.runFor(400, "--yes");
  for (
    let round = 0;
    round < rounds(40, 2) && last.signal === "SIGKILL";
    round++
  )
    last = await cluster.runFor(300 + ((round * 37) % 240), "--yes");
  if (last.signal === "SIGKILL") last = await cluster.run("--yes");
  expect(last.output).toContain("the upgrade is done");
  const effects = effectsOf(cluster);
  expect([...new Set(effects)]).toEqual(EFFECTS);
  for (const line of effects.filter((one) => ONCE.test(one)))
    expect(effects.filter((other) => other === line)).toHaveLength(1);
  expectDone(cluster);
}, 120_000);

describe("failures", () => {
  test("a failure stops the run, and the next run resumes at the same action", async () => {
    const cluster = await fakeCluster();
    cluster.script("fail init -f");
    const first = await cluster.run("--yes");
    expect(first.status).toBe(1);
    expect(first.output).toContain("| it fails");
    expect(first.output).toContain("C2 stopped: exit code 1");
    const { status, output } = await cluster.upgrade("status", ...PLAN);
    expect(status).toBe(1);
    expect(output).toMatch(/failed +C2 .* UTC, \d+ s\): exit code 1\n/);
    expect(output).toMatch(
      /done +C1 .* \(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC, \d+ s\)\n/,
    );
    expect(output).toContain("next: C2");
    const second = await cluster.run("--yes");
    expect(second.status).toBe(0);
    expect(second.output).not.toContain("C1 ");
    expect(effectsOf(cluster)).toEqual(EFFECTS);
  });

  test.each(["hang", "stubborn"])(
    "a command that does not end: %s",
    async (how) => {
      const cluster = await fakeCluster();
      cluster.script(`${how} apply -f o.yaml --datastore`);
      const first = await cluster.run("--yes", "--deadline", "4");
      expect(first.output).toContain("D2 stopped: timeout after 4 s");
      expect(first.status).toBe(1);
      expect((await cluster.run("--yes")).status).toBe(0);
      expect(effectsOf(cluster)).toEqual(EFFECTS);
    },
  );

  test("Ctrl-C also ends the command, and the next run resumes", async () => {
    const cluster = await fakeCluster();
    cluster.script("hang apply -f o.yaml --datastore");
    const first = await cluster.interrupt("--yes");
    expect(first.status).toBe(130);
    expect(readdirSync(cluster.folder)).not.toContain(
      "o.yaml.upgrade.json.lock",
    );
    expect((await cluster.run("--yes")).status).toBe(0);
    expect(effectsOf(cluster)).toEqual(EFFECTS);
  });

  test("a failed check shows the output of the tool without secrets", async () => {
    const cluster = await fakeCluster();
    cluster.script("fail services list");
    const { output } = await cluster.run("--yes");
    expect(output).toContain(
      "not yet: the API is enabled: exit code 1\n  | it fails\n  | the reason is ***\n",
    );
  });

  test("the status of a killed run is stopped", async () => {
    const cluster = await fakeCluster();
    cluster.killEach("before");
    expect((await cluster.run("--yes")).signal).toBe("SIGKILL");
    for (let round = 0; round < 10 && !existsSync(stateOf(cluster)); round++)
      await cluster.run("--yes");
    const { status, output } = await cluster.upgrade("status", ...PLAN);
    expect(output).toMatch(/^stopped +P\d .* \(since .* UTC\)$/m);
    expect(status).toBe(1);
  });

  test("a missing program", async () => {
    const cluster = await fakeCluster();
    const { status, output } = await cluster.run(
      "--yes",
      "--tool",
      "nothing",
      "--from-step",
      "C2",
    );
    expect(output).toContain("C2 stopped: nothing was not found");
    expect(status).toBe(1);
  });

  test("pods that never become ready", async () => {
    const cluster = await fakeCluster();
    const file = path.join(cluster.folder, "bin/apigeectl");
    writeFileSync(file, '#!/bin/sh\n[ "$1" != check-ready ]\n');
    const { output, status } = await cluster.run(
      "--yes",
      "--only",
      "C2",
      "--deadline",
      "3",
    );
    expect(output).toContain(
      "C2 stopped: all pods are ready: exit code 1 after 3 s",
    );
    expect(status).toBe(1);
  });
});

describe("manual steps and confirmations", () => {
  test("a run stops without --yes, and continues with --done", async () => {
    const cluster = await fakeCluster();
    const first = await cluster.run();
    expect(first.output).toContain(
      "P3 stopped: P3 requires confirmation; perform this action, then pass --done P3",
    );
    expect(first.status).toBe(1);
    const second = await cluster.run(
      "--done",
      "P3",
      "--done",
      "P8",
      "--done",
      "B2",
    );
    expect(second.output).toContain(
      "B3 stopped: B3 requires confirmation; pass --yes to confirm",
    );
    expect(effectsOf(cluster)).toEqual(EFFECTS.slice(0, 6));
  });

  test("an upgrade is not finished while the seed host is in the file", async () => {
    const cluster = await fakeCluster();
    const seeded = `${OVERRIDES}  externalSeedHost: 10.4.0.9\n`;
    writeFileSync(path.join(cluster.folder, "o.yaml"), seeded);
    const { status, output } = await cluster.run("--yes", "--only", "D6");
    expect(output).toContain("X10: cassandra.externalSeedHost is still set");
    expect(status).toBe(1);
    expect((await cluster.run("--yes")).status).toBe(0);
    writeFileSync(path.join(cluster.folder, "o.yaml"), seeded);
    const again = await cluster.run("--yes");
    expect(again.output).toContain(
      "not finished: cassandra.externalSeedHost is in the overrides file again",
    );
    expect(again.status).toBe(1);
  });

  test.each([
    [["--only", "D4"], "D4", "C4, D1, D2, D3;"],
    [["--from-step", "D3"], "D3", "C4, D1, D2;"],
    [["--only", "B3"], "B3", "P0, P3, P4, P5, P6, P7, P8, P9, B1, B2;"],
  ])(
    "%s: a destructive step does not run without those before it",
    async (args, id, missing) => {
      const cluster = await fakeCluster();
      const { status, output } = await cluster.run("--yes", ...args);
      expect(output).toContain(`${id} stopped: ${id} deletes resources`);
      expect(output).toContain(missing);
      expect(status).toBe(1);
      expect(effectsOf(cluster)).toEqual([]);
    },
  );

  test("--force names the missing steps, and the old resources must have been recorded", async () => {
    const cluster = await fakeCluster();
    const { output } = await cluster.run(
      "--yes",
      "--force",
      "--from-step",
      "D3",
      "--deadline",
      "3",
    );
    expect(output).toContain(
      "--force: continuing, although these steps have not been done: P0, P3, P4,",
    );
    expect(output).toContain(
      "D3 stopped: the resources of the old runtime were not recorded; run step C0",
    );
    expect(effectsOf(cluster)).toEqual([]);
  });

  test.each([
    ["missing", undefined, "ENOENT"],
    ["a 1.3 file", OVERRIDES, "must be an overrides file for version 1.2"],
    [
      "of another organization",
      VALID_12.replace("org: example", "org: other"),
      "must be for the organization example",
    ],
  ])(
    "the old overrides file is %s: D3 deletes nothing",
    async (_, text, message) => {
      const cluster = await fakeCluster();
      const file = path.join(cluster.folder, "o.yaml.bak");
      if (text === undefined) rmSync(file);
      else writeFileSync(file, text);
      const { output } = await cluster.run("--yes");
      expect(output).toContain("D3 stopped: ");
      expect(output).toContain(message);
      expect(effectsOf(cluster)).toEqual(EFFECTS.slice(0, EFFECTS.length - 6));
    },
  );

  test("a newer certificate manager is not replaced", async () => {
    const cluster = await fakeCluster();
    writeFileSync(path.join(cluster.folder, "fake/cert-manager"), "x:v1.1.0");
    const { output } = await cluster.run("--yes");
    expect(output).toContain(
      "B3 stopped: certificate manager 1.1.0 is installed, which is newer than 0.14.2",
    );
    expect(effectsOf(cluster)).toEqual(EFFECTS.slice(0, 6));
  });

  test("the old certificate manager remains if the manifest can't be downloaded", async () => {
    const cluster = await fakeCluster();
    cluster.script("fail curl");
    const { output } = await cluster.run("--yes");
    expect(output).toContain("B3 stopped: exit code 1");
    expect(effectsOf(cluster)).toEqual(EFFECTS.slice(0, 6));
    expect((await cluster.run("--yes")).status).toBe(0);
    expect(effectsOf(cluster)).toEqual(EFFECTS);
  });

  test("files named in the settings must exist", async () => {
    const cluster = await fakeCluster();
    rmSync(path.join(cluster.folder, "certs/group.key"));
    const { output } = await cluster.run("--yes");
    expect(output).toMatch(/T10: .*certs\/group.key/);
    expect(output).toContain("P9 stopped: o.yaml has 1 error");
  });
});

describe("usage", () => {
  test.each([
    [["run", ...PLAN, "--only", "X1"], "unknown step X1"],
    [["run", ...PLAN, "--deadline", "soon"], "must be a number of seconds"],
    [
      ["run", ...PLAN, "--only", "P1", "--from-step", "P2"],
      "can't be used together",
    ],
    [["plan", ...PLAN, "--from", "1.1.0"], "upgrade to 1.2 first"],
    [
      ["plan", ...PLAN, "--to", "1.3.0"],
      "the first supported version is 1.3.6",
    ],
    [["plan", ...PLAN, "--to", "1.5.0"], "upgrade to 1.3.6 first"],
    [["plan", ...PLAN, "--kubectl", "new"], "pass the version with --kubectl"],
    [["plan", ...PLAN, "--overrides", "no.yaml"], "no.yaml"],
  ])("%s", async (args, message) => {
    const cluster = await fakeCluster();
    const { status, output } = await cluster.upgrade(...args);
    expect(output).toContain(message);
    expect(status).toBe(2);
  });

  test("a state without the seal of this user", async () => {
    const cluster = await fakeCluster();
    await cluster.run("--only", "P0");
    const file = path.join(cluster.folder, "o.yaml.upgrade.json");
    const state = JSON.parse(cluster.state()) as { steps: object };
    const done = { ...state, steps: { ...state.steps, P1: backup } };
    writeFileSync(file, JSON.stringify(done));
    for (const command of ["run", "status"]) {
      const forged = await cluster.upgrade(command, ...PLAN);
      expect(forged.output).toContain(
        "was edited, or was written by a different user or on a different machine",
      );
      expect(forged.output).toContain("--adopt-state");
      expect(forged.status).toBe(2);
    }
    const adopted = await cluster.run("--only", "P0", "--adopt-state");
    expect(adopted.output).toContain("P0 Check");
    expect((await cluster.run("--only", "P0")).output).toContain("P0 Check");
    writeFileSync(file, '{"version":1,"fingerprint":"","steps":null}');
    const damaged = await cluster.run("--adopt-state");
    expect(damaged.output).toContain("steps must be an object");
    expect(damaged.status).toBe(2);
  });

  test("a resumed run requires the same options", async () => {
    const cluster = await fakeCluster();
    const context = path.join(cluster.folder, "fake/context");
    writeFileSync(context, "first\n");
    await cluster.run("--only", "P0");
    writeFileSync(context, "second\n");
    writeFileSync(path.join(cluster.folder, "o.yaml.bak"), `${VALID_12}\n`);
    const other = await cluster.run("--only", "P0", "--old-home", "bin");
    expect(other.status).toBe(2);
    expect(other.output).toContain(
      "kubectl context was first and is now second",
    );
    expect(other.output).toContain("SHA-256 of the old overrides file was ");
    expect(other.output).toContain(
      `--old-home was ${cluster.folder}/old and is now ${cluster.folder}/bin`,
    );
    const accepted = await cluster.run("--only", "P0", "--accept-changes");
    expect(accepted.output).toContain("--accept-changes: SHA-256 of the old");
    expect((await cluster.run("--only", "P0")).output).toContain("P0 Check");
  });

  test("apigeectl must have the version that is installed", async () => {
    const cluster = await fakeCluster();
    const version = path.join(cluster.folder, "fake/tool-version");
    writeFileSync(version, "Version: 1.2.0\n");
    const { output } = await cluster.run("--yes", "--only", "C2");
    expect(output).toContain(
      "C2 stopped: apigeectl must be version 1.3.6; it is 1.2.0",
    );
    expect(effectsOf(cluster)).toEqual([]);
  });

  test("a state of another upgrade, and another run", async () => {
    const cluster = await fakeCluster();
    await cluster.run("--only", "P0");
    const other = await cluster.run("--from", "1.2.3");
    expect(other.output).toContain(
      "was created for a different upgrade: --from was 1.2.0 and is now 1.2.3",
    );
    expect(other.status).toBe(2);
    const lock = path.join(cluster.folder, "o.yaml.upgrade.json.lock");
    const release = acquireLock(lock);
    const busy = await cluster.run("--only", "P0");
    expect(busy.output).toContain("another run");
    expect(busy.status).toBe(2);
    expect(busy.output).toContain(`delete ${lock}`);
    release();
    expect((await cluster.run("--only", "P0")).output).toContain("P0 Check");
  });
});
