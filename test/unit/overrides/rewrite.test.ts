import { describe, expect, test } from "vitest";
import { rewriteFile } from "../../../src/overrides/rewrite/index.js";
import type { RewriteOptions } from "../../../src/overrides/rewrite/rewrite-session.js";
import {
  briefly,
  check,
  VALID_12,
  VALID_13,
  withBlocks,
} from "../../support/overrides.js";

type Given = Partial<Omit<RewriteOptions, "envgroups">> & {
  readonly envgroups?: Readonly<Record<string, string>>;
};

function rewrite(text: string, { envgroups = {}, ...options }: Given = {}) {
  return rewriteFile("overrides.yaml", Buffer.from(text), {
    ...options,
    envgroups: new Map(Object.entries(envgroups)),
  });
}

/** Returns the rewritten text, which must be valid and not change when rewritten again. */
function rewritten(text: string, options: Given = {}): string {
  const { after, report, bytes } = rewrite(text, options);
  expect(report.refusals).toEqual([]);
  expect(bytes.toString("utf8").replace(/^\ufeff/, "")).toBe(after);
  const checked = check(after);
  expect(
    checked.diagnostics.filter(({ severity }) => severity === "error"),
  ).toEqual([]);
  expect(rewrite(after, options).after).toBe(after);
  return after;
}

function refusals(text: string, options: Given = {}): string {
  const { report, isRefused, after, before } = rewrite(text, options);
  expect(isRefused).toBe(true);
  expect(after).toBe(before);
  return report.refusals.join("\n");
}

test("a file with all properties that 1.3 removed", () => {
  expect(rewritten(VALID_12, { envgroups: { default: "group" } }))
    .toBe(`# Overrides of the first cluster.
gcp:
  projectID: project-one # the only project
  region: us-east1

k8sCluster:
  name: "cluster-one"
  region: us-east1
org: example
instanceID: cluster-one-us-east1

virtualhosts:
  - name: group
    sslCertPath: ./certs/group.pem
    sslKeyPath: ./certs/group.key

envs:
  - name: test
    serviceAccountPaths:
      synchronizer: ./accounts/project-one-apigee-synchronizer.json
      udca: ./accounts/project-one-apigee-udca.json

mart:
  serviceAccountPath: ./accounts/project-one-apigee-mart.json # MART

connectAgent:
  serviceAccountPath: ./accounts/project-one-apigee-mart.json

metrics:
  serviceAccountPath: ./accounts/project-one-apigee-metrics.json

watcher:
  serviceAccountPath: ./accounts/project-one-apigee-watcher.json
`);
});

test("the report lists what was removed", () => {
  const { report } = rewrite(VALID_12, { envgroups: { default: "group" } });
  expect(
    report.instructions.map(({ subject, text }) => `${subject}: ${text}`),
  ).toEqual([
    "environment group: add the host names api.example.com, www.example.com to the environment group group (was default), in the field hostnames of organizations/example/envgroups/group",
    "proxy: deploy the proxies with the base paths /v1 to test, because group routed them there; connectTimeout was 57 s",
    "environment group: attach the environment test to the environment group group",
    "other: MART no longer uses the host name mart.example.com: remove it from DNS and firewalls after the upgrade",
    "service mesh: set loadBalancerIP in the ingress gateway service of the service mesh to 203.0.113.7",
  ]);
  expect(report.comments).toEqual([
    { line: 12, text: "# the old name" },
    { line: 20, text: "# slow back end" },
  ]);
  expect(report.warnings).toEqual([]);
});

describe("the layout of the file is preserved", () => {
  test("line breaks", () => {
    const after = rewritten(VALID_12.replace(/\n/g, "\r\n"));
    expect(after.replace(/\r\n/g, "")).not.toMatch(/[\r\n]/);
    expect(after.replace(/\r\n/g, "\n")).toBe(rewritten(VALID_12));
  });

  test("a byte order mark", () => {
    const { bytes } = rewrite(`\ufeff${VALID_12}`);
    expect(bytes.subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]));
    expect(bytes.toString("utf8").slice(1)).toBe(rewritten(VALID_12));
  });

  test("no line break at the end of the file", () => {
    const text = withBlocks(
      VALID_12,
      "ingress:\n  enableAccesslog: true\nlogger:\n  enabled: false",
    ).trimEnd();
    expect(
      rewritten(text).endsWith(
        "enabled: false\nwatcher:\n  serviceAccountPath: ./accounts/project-one-apigee-watcher.json",
      ),
    ).toBe(true);
  });

  test("indentation by four, lists at the column of their key", () => {
    const text = `org: example
gcpProjectID: project-one
gcpRegion: us-east1
k8sCluster:
    name: one
    region: two
virtualhosts:
- name: group
  sslSecret: group-tls
  routingRules:
  - env: test
  hostAliases:
  - api.example.com
envs:
- name: test
  serviceAccountPaths:
      synchronizer: s.json
      udca: u.json
mart:
    hostAlias: mart.example.com
    serviceAccountPath: x-apigee-mart.json
metrics:
    serviceAccountPath: m.json
`;
    expect(rewritten(text)).toBe(`org: example
instanceID: one-two
gcp:
    projectID: project-one
    region: us-east1
k8sCluster:
    name: one
    region: two
virtualhosts:
- name: group
  sslSecret: group-tls
envs:
- name: test
  serviceAccountPaths:
      synchronizer: s.json
      udca: u.json
mart:
    serviceAccountPath: x-apigee-mart.json
connectAgent:
    serviceAccountPath: x-apigee-mart.json
metrics:
    serviceAccountPath: m.json
watcher:
    serviceAccountPath: x-apigee-watcher.json
`);
  });

  test("a removed key at the beginning of a list element", () => {
    const text = VALID_12.replace("  - name: default\n", "")
      .replace("    hostAliases:", "  - hostAliases:")
      .replace(
        "    sslCertPath: ./certs/group.pem",
        "    # the group\n    name: default\n    sslCertPath: ./certs/group.pem",
      );
    expect(rewritten(text)).toContain(
      "virtualhosts:\n  - name: default\n    sslCertPath",
    );
    expect(rewrite(text).report.comments).toContainEqual({
      line: 13,
      text: "# the group",
    });
  });

  test("flow style", () => {
    const text = withBlocks(
      VALID_12,
      `virtualhosts: [{ hostAliases: [a, b], name: "one", sslSecret: s, routingRules: [] }]\nmart: { serviceAccountPath: ./x-apigee-mart.json, sslKeyPath: k, hostAlias: m } # all of it\nconnectAgent: { enabled: true }`,
    );
    const after = rewritten(text, { envgroups: { one: "two" } });
    expect(after).toContain('virtualhosts: [{ name: "two", sslSecret: s }]\n');
    expect(after).toContain(
      "mart: { serviceAccountPath: ./x-apigee-mart.json } # all of it\n",
    );
    expect(after).toContain(
      "connectAgent: { serviceAccountPath: ./x-apigee-mart.json }\n",
    );
  });

  test("comments above a removed block remain, comments within it are removed", () => {
    const text = VALID_12.replace(
      "  hostAlias: mart",
      "  # above\n  hostAlias: mart",
    ).replace("ingress:\n", "# above all\ningress:\n  # within\n");
    const after = rewritten(text);
    expect(after).toContain("  # above\n");
    expect(after).toContain("# above all\n");
    expect(after).not.toContain("# within");
    expect(rewrite(text).report.comments.map((one) => one.text)).toContain(
      "# within",
    );
  });
});

describe("anchors", () => {
  test("a removed anchor moves to its first alias", () => {
    const text = VALID_12.replace(
      "sslCertPath: ./certs/group.pem",
      "sslCertPath: *cert",
    )
      .replace("sslCertPath: ./certs/mart.pem", "sslCertPath: ./x.pem")
      .replace(
        "  - name: default\n    hostAliases:",
        "  - name: default\n    hostAliases: &hosts\n     - &cert ./certs/shared.pem\n    x:",
      )
      .replace(/ {4}x:\n {6}- api.*\n {6}- www.*\n/, "");
    const after = rewritten(text);
    expect(after).toContain("sslCertPath: &cert ./certs/shared.pem\n");
  });

  test("an aliased value is copied", () => {
    const text = VALID_12.replace(
      "serviceAccountPath: ./accounts/project-one-apigee-mart.json",
      "serviceAccountPath: &account ./accounts/project-one-apigee-mart.json",
    ).replace(
      "serviceAccountPath: ./accounts/project-one-apigee-metrics.json",
      "serviceAccountPath: *account",
    );
    const after = rewritten(text);
    expect(after).toContain("serviceAccountPath: &account ./accounts");
    expect(after).toContain("serviceAccountPath: *account");
  });

  test("an aliased block is edited once, and the report names both positions", () => {
    const text = VALID_12.replace("mart:\n", "mart: &m\n").replace(
      "metrics:\n",
      "connectAgent: *m\nmetrics:\n",
    );
    // Removed from MART; Connect never supported it.
    expect(
      refusals(
        text.replace(
          "connectAgent: *m",
          "connectAgent:\n  <<: *m\n  logLevel: INF",
        ),
      ),
    ).toContain("INF");
    expect(rewritten(text)).toContain("connectAgent: *m\n");
  });

  test("an aliased name of a group is not renamed", () => {
    const text = VALID_12.replace("org: example", "org: &o example").replace(
      "name: default",
      "name: *o",
    );
    expect(refusals(text, { envgroups: { example: "x" } })).toContain(
      "is a YAML alias",
    );
  });
});

describe("derived values", () => {
  test("instanceID is the given one, or cluster and region, truncated", () => {
    expect(rewritten(VALID_12, { instanceId: "mine" })).toContain(
      "\ninstanceID: mine\n",
    );
    const long = VALID_12.replace('"cluster-one"', "c".repeat(60));
    expect(rewritten(long)).toContain(`\ninstanceID: ${"c".repeat(60)}-us\n`);
  });

  test("an existing instanceID remains", () => {
    const text = VALID_12.replace(
      "org: example",
      "org: example\ninstanceID: old",
    );
    expect(rewritten(text, { instanceId: "new" })).toContain(
      "instanceID: old\n",
    );
    expect(rewrite(text, { instanceId: "new" }).report.warnings).toContain(
      "instanceID is already set and remains unchanged",
    );
  });

  test("accounts in secrets", () => {
    const text = VALID_12.replace(
      "serviceAccountPath: ./accounts/project-one-apigee-mart.json",
      "serviceAccountRef: mart-account",
    );
    expect(refusals(text)).toContain("pass --watcher-account");
    expect(rewritten(text, { watcherAccount: "w.json" })).toContain(
      "connectAgent:\n  serviceAccountRef: mart-account\n",
    );
  });

  test("a missing region", () => {
    const text = VALID_12.replace("gcpRegion: us-east1\n", "");
    expect(rewrite(text).report.warnings.join()).toContain("us-central1");
    expect(rewritten(text, { region: "eu" })).toContain(
      "projectID: project-one # the only project\n  region: eu\n",
    );
  });

  test("a runtime project equal to the project is removed", () => {
    const text = VALID_12.replace(
      "gcpRegion:",
      "gcpProjectIDRuntime: project-one\ngcpRegion:",
    );
    expect(rewritten(text)).toBe(rewritten(VALID_12));
    const other = text.replace("Runtime: project-one", "Runtime: logs");
    expect(rewritten(other)).toContain(
      "  region: us-east1\n  gcpProjectIDRuntime: logs\n",
    );
  });

  test("TLS versions of the ingress move to the virtual hosts", () => {
    const text = withBlocks(VALID_12, "ingress:\n  minTLSProtocolVersion: 1.2");
    expect(rewritten(text)).toContain(
      '- name: default\n    minTLSProtocolVersion: "1.2"\n',
    );
  });
});

describe("warnings", () => {
  test.each([
    ["a group named default", VALID_12, "--envgroup default=NAME"],
    [
      "Connect disabled",
      `${VALID_12}connectAgent:\n  enabled: false\n`,
      "always enables",
    ],
    [
      "paths of a host with different environments",
      VALID_12.replace(
        "        connectTimeout: 57",
        "      - env: other\n        paths: [/v2]",
      ),
      "several environments",
    ],
  ])("%s", (_, text, warning) => {
    const { report } = rewrite(text);
    expect(report.refusals).toEqual([]);
    expect(report.warnings.join("\n")).toContain(warning);
  });
});

describe("refusals", () => {
  test.each([
    [
      "1.1",
      "org: a\ngcpProjectID: b\nenvs:\n  - name: t\n    hostAlias: h\n",
      "upgrade to version 1.2 first",
    ],
    [
      "a file of a newer version",
      `${VALID_13}ingressGateways:\n  - name: x\n`,
      "the file must be for version 1.2",
    ],
    [
      "two values",
      VALID_12.replace("org:", "gcp:\n  projectID: other\norg:"),
      "different values",
    ],
    ["a duplicate key", `${VALID_12}mart:\n  hostAlias: x\n`, "duplicate key"],
    [
      "no account for metrics",
      VALID_12.replace(/metrics:\n.*\n\n/, ""),
      "pass --metrics-account",
    ],
    [
      "errors that the rewriter can't fix",
      `${VALID_12}runtime:\n  replicaCountMin: many\n`,
      "found text",
    ],
    [
      "a template",
      `org: {{ x }}\n${VALID_12}`,
      "unrendered template expression",
    ],
    [
      "a file in flow style",
      '{ "org": "a", "virtualhosts": [] }',
      "in flow style",
    ],
    [
      "a flat key on several lines",
      VALID_12.replace("gcpRegion: us-east1", "gcpRegion:\n  us-east1"),
      "on one line",
    ],
  ])("%s", (_, text, reason) => {
    expect(refusals(text)).toContain(reason);
  });

  test("an unknown group", () => {
    expect(refusals(VALID_12, { envgroups: { nobody: "x" } })).toContain(
      "no entry nobody",
    );
  });
});

test("a 1.3 file remains unchanged, even with errors", () => {
  expect(rewritten(VALID_13)).toBe(VALID_13);
  const wrong = `${VALID_13}runtim: {}\n`;
  const { after, isRefused, report } = rewrite(wrong);
  expect(after).toBe(wrong);
  expect(isRefused).toBe(false);
  expect(report.warnings.join()).toContain("runtim");
});

test("the old file is valid for 1.2", () => {
  expect(
    briefly(check(VALID_12, { target: "1.2" })).filter((line) =>
      line.endsWith("error"),
    ),
  ).toEqual([]);
});
