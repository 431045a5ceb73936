import { expect } from "vitest";
import type { CheckOptions } from "../../../src/overrides/validate.js";
import { rewriteFile } from "../../../src/overrides/rewrite/index.js";
import { planReport } from "../../../src/overrides/report/plan.js";
import {
  versionProblem,
  type PlanOptions,
} from "../../../src/overrides/upgrade/plan-options.js";
import { planUpgrade } from "../../../src/overrides/upgrade/plan.js";
import {
  checkToolCommand,
  dryRunValue,
} from "../../../src/overrides/upgrade/tool-table.js";
import {
  check,
  VALID_12,
  VALID_13,
  withBlocks,
} from "../../support/overrides.js";
import { acceptance, type Statement } from "../acceptance.js";

type Options = Partial<CheckOptions> & { readonly target?: string };

/** Lines and messages of the findings about a file for 1.3.6. */
function messages(
  text: string,
  severity: "error" | "warning",
  options: Options = {},
): string[] {
  return check(text, options)
    .diagnostics.filter((found) => found.severity === severity)
    .map(
      ({ line = 1, message }) => `${text.split("\n")[line - 1]}: ${message}`,
    );
}
const errors = (text: string, options: Options = {}): string =>
  messages(text, "error", options).join("\n");
const warnings = (text: string, options: Options = {}): string =>
  messages(text, "warning", options).join("\n");

/** The valid file with other top-level blocks. */
const file = (blocks: string): string => withBlocks(VALID_13, blocks);
/** The valid file without a top-level block. */
const without = (name: string): string =>
  VALID_13.replace(new RegExp(`^${name}:.*\n(?:[ -].*\n)*`, "m"), "");

const rewritten = rewriteFile("overrides.yaml", Buffer.from(VALID_12), {
  envgroups: new Map([["default", "group"]]),
});
const { after, report } = rewritten;
const reported = JSON.stringify(report);

interface Missing {
  readonly name: string;
  readonly text: string;
  /** Text that the error contains. */
  readonly key: string;
}

const REQUIRED: readonly Missing[] = [
  { name: "instanceID", text: without("instanceID"), key: "instanceID" },
  {
    name: "gcp.projectID",
    text: file("gcp:\n  region: us-east1\n"),
    key: "projectID",
  },
  {
    name: "k8sCluster.name",
    text: file("k8sCluster:\n  region: us-east1\n"),
    key: "name",
  },
  {
    name: "k8sCluster.region",
    text: file("k8sCluster:\n  name: cluster-one\n"),
    key: "region",
  },
  { name: "virtualhosts", text: without("virtualhosts"), key: "virtualhosts" },
  { name: "mart", text: without("mart"), key: "mart" },
  { name: "connectAgent", text: without("connectAgent"), key: "connectAgent" },
  { name: "watcher", text: without("watcher"), key: "watcher" },
  { name: "metrics", text: without("metrics"), key: "metrics" },
  {
    name: "watcher.serviceAccountPath",
    text: file("watcher:\n  replicaCountMin: 1\n"),
    key: "service account",
  },
  {
    name: "metrics.serviceAccountPath",
    text: file("metrics:\n  enabled: true\n"),
    key: "service account",
  },
  {
    name: "connectAgent.serviceAccountPath",
    text: file("connectAgent:\n  logLevel: INFO\n"),
    key: "service account",
  },
  {
    name: "mart.serviceAccountPath",
    text: file("mart:\n  replicaCountMin: 1\n"),
    key: "service account",
  },
  {
    name: "virtualhosts[].name",
    text: file(
      "virtualhosts:\n  - sslCertPath: ./a.pem\n    sslKeyPath: ./a.key\n",
    ),
    key: "name",
  },
  {
    name: "virtualhosts[].sslCertPath",
    text: file("virtualhosts:\n  - name: group\n    sslKeyPath: ./a.key\n"),
    key: "sslCertPath",
  },
  {
    name: "virtualhosts[].sslKeyPath",
    text: file("virtualhosts:\n  - name: group\n    sslCertPath: ./a.pem\n"),
    key: "sslKeyPath",
  },
];

/** Properties of 1.2 that 1.3 does not have, in a file for 1.3. */
const REMOVED: readonly (readonly [name: string, text: string])[] = [
  ["gcpProjectID", file("gcpProjectID: project-one\n")],
  ["gcpRegion", file("gcpRegion: us-east1\n")],
  ["gcpProjectIDRuntime", file("gcpProjectIDRuntime: project-two\n")],
  ["k8sClusterName", file("k8sClusterName: cluster-one\n")],
  ["k8sClusterRegion", file("k8sClusterRegion: us-east1\n")],
  [
    "hostAliases",
    file(
      "virtualhosts:\n  - name: group\n    sslCertPath: ./a.pem\n    sslKeyPath: ./a.key\n    hostAliases:\n      - api.example.com\n",
    ),
  ],
  [
    "routingRules",
    file(
      "virtualhosts:\n  - name: group\n    sslCertPath: ./a.pem\n    sslKeyPath: ./a.key\n    routingRules:\n      - env: test\n",
    ),
  ],
  ...["hostAlias", "sslCertPath", "sslKeyPath"].map(
    (name) =>
      [
        `mart.${name}`,
        file(`mart:\n  serviceAccountPath: ./mart.json\n  ${name}: value\n`),
      ] as const,
  ),
];

const PATHS = [
  "watcher.serviceAccountPath",
  "metrics.serviceAccountPath",
  "mart.serviceAccountPath",
  "connectAgent.serviceAccountPath",
];

const overrides: readonly Statement[] = [
  {
    id: "upgrade/overrides/valid",
    statement: "A file with the properties of 1.3 is valid.",
    check: () => expect(errors(VALID_13)).toBe(""),
  },
  {
    id: "upgrade/overrides/rewritten",
    statement: "A file for 1.2 can be rewritten to a valid file for 1.3.",
    check: () => {
      expect(rewritten.isRefused).toBe(false);
      expect(errors(after)).toBe("");
    },
  },
  {
    id: "upgrade/overrides/rewritten-once",
    statement: "Rewriting a file for 1.3 changes nothing.",
    check: () => {
      const again = rewriteFile("overrides.yaml", Buffer.from(after), {
        envgroups: new Map(),
      });
      expect(again.after).toBe(after);
    },
  },
  ...REQUIRED.map(({ name, text, key }) => ({
    id: `upgrade/overrides/${name}/required`,
    statement: `A file without \`${name}\` is an error.`,
    check: () => expect(errors(text)).toContain(key),
  })),
  ...REMOVED.flatMap(([name, text]): Statement[] => {
    const key = name.split(".").at(-1)!;
    return [
      {
        id: `upgrade/overrides/${name}/removed`,
        statement: `\`${name}\` is an error in a file for 1.3.`,
        check: () => expect(errors(text)).toContain(key),
      },
      {
        id: `upgrade/overrides/${name}/old`,
        statement: `\`${name}\` is not an error in a file for 1.2.`,
        check: () =>
          expect(errors(VALID_12, { target: "1.2" })).not.toContain(key),
      },
      {
        id: `upgrade/overrides/${name}/rewritten`,
        statement: `A rewritten file does not have \`${name}\`.`,
        check: () => {
          const mart = /^mart:\n(?: .*\n)*/m.exec(after)![0];
          expect(name.startsWith("mart.") ? mart : after).not.toMatch(
            new RegExp(`\\b${key}:`),
          );
        },
      },
    ];
  }),
  ...(
    [
      ["gcp.projectID", /gcp:\n(?: .*\n)* {2}projectID: project-one/],
      ["gcp.region", /gcp:\n(?: .*\n)* {2}region: us-east1/],
      ["k8sCluster.name", /k8sCluster:\n(?: .*\n)* {2}name: "cluster-one"/],
      ["k8sCluster.region", /k8sCluster:\n(?: .*\n)* {2}region: us-east1/],
    ] as const
  ).map(([name, pattern]) => ({
    id: `upgrade/overrides/${name}/replaces`,
    statement: `A rewritten file has \`${name}\` with the value of the former flat key.`,
    check: () => expect(after).toMatch(pattern),
  })),
  {
    id: "upgrade/overrides/gcp.gcpProjectIDRuntime/replaces",
    statement:
      "A rewritten file has `gcp.gcpProjectIDRuntime` if another project was named.",
    check: () => {
      const text = `gcpProjectIDRuntime: project-two\n${VALID_12}`;
      const { after: result } = rewriteFile("o.yaml", Buffer.from(text), {
        envgroups: new Map(),
      });
      expect(result).toContain("gcpProjectIDRuntime: project-two");
    },
  },
  {
    id: "upgrade/overrides/gcp.gcpProjectIDRuntime/optional",
    statement: "The project of the runtime is optional.",
    check: () => {
      expect(VALID_13).not.toContain("gcpProjectIDRuntime");
      expect(
        errors(
          file(
            "gcp:\n  projectID: project-one\n  region: us-east1\n  gcpProjectIDRuntime: project-two\n",
          ),
        ),
      ).toBe("");
    },
  },
  {
    id: "upgrade/overrides/gcp.region/missing",
    statement: "A file without `gcp.region` is reported.",
    check: () => {
      const text = file("gcp:\n  projectID: project-one\n");
      expect(errors(text) + warnings(text)).toContain("region");
    },
  },
  ...(["clusterName", "clusterRegion"] as const).map((name) => ({
    id: `upgrade/overrides/k8s.${name}/stanza`,
    statement: `\`k8s.${name}\` is written in the stanza \`k8sCluster\`.`,
    check: () => {
      const { diagnostics } = check(file(`k8s:\n  ${name}: one\n`));
      expect(JSON.stringify(diagnostics)).toContain("k8sCluster");
    },
  })),
  {
    id: "upgrade/overrides/instanceID/63",
    statement: "An `instanceID` may have 63 characters.",
    check: () =>
      expect(errors(file(`instanceID: ${"a".repeat(63)}\n`))).toBe(""),
  },
  {
    id: "upgrade/overrides/instanceID/64",
    statement: "An `instanceID` may not have 64 characters.",
    check: () =>
      expect(errors(file(`instanceID: ${"a".repeat(64)}\n`))).toContain(
        "instanceID",
      ),
  },
  {
    id: "upgrade/overrides/instanceID/type",
    statement: "An `instanceID` is a text.",
    check: () =>
      expect(errors(file("instanceID: [one]\n"))).toContain("instanceID"),
  },
  {
    id: "upgrade/overrides/instanceID/added",
    statement: "A rewritten file has an `instanceID`, also if there was none.",
    check: () => {
      expect(VALID_12).not.toContain("instanceID");
      expect(after).toMatch(/^instanceID: \S+$/m);
    },
  },
  {
    id: "upgrade/overrides/instanceID/kept",
    statement: "An existing `instanceID` is not changed.",
    check: () => {
      const text = `instanceID: my-own\n${VALID_12}`;
      const { after: result } = rewriteFile("o.yaml", Buffer.from(text), {
        envgroups: new Map(),
      });
      expect(result.match(/^instanceID: .*$/gm)).toEqual([
        "instanceID: my-own",
      ]);
    },
  },
  ...PATHS.map((name) => {
    const [block = "", key = ""] = name.split(".");
    return {
      id: `upgrade/overrides/${name}/type`,
      statement: `\`${name}\` is the path of a file.`,
      check: () =>
        expect(errors(file(`${block}:\n  ${key}: [one]\n`))).toContain(key),
    };
  }),
  ...(["watcher", "connectAgent", "metrics", "mart"] as const).map((name) => ({
    id: `upgrade/overrides/${name}.serviceAccountPath/rewritten`,
    statement: `A rewritten file has \`${name}.serviceAccountPath\`.`,
    check: () =>
      expect(after).toMatch(
        new RegExp(`^${name}:\\n(?: .*\\n)* {2}serviceAccountPath: \\S`, "m"),
      ),
  })),
  {
    id: "upgrade/overrides/connectAgent.serviceAccountPath/mart",
    statement: "The connect agent usually has MART's service account.",
    check: () => {
      const path = /mart\.json/;
      const agent = /^connectAgent:\n(?: .*\n)*/m.exec(after)![0];
      expect(agent).toMatch(path);
      expect(
        warnings(file("connectAgent:\n  serviceAccountPath: ./other.json\n")),
      ).toMatch(/mart/i);
    },
  },
  {
    id: "upgrade/overrides/virtualhosts/empty",
    statement: "At least one environment group is required.",
    check: () =>
      expect(errors(file("virtualhosts: []\n"))).toContain("virtualhosts"),
  },
  {
    id: "upgrade/overrides/virtualhosts/group",
    statement: "The name of a virtual host is that of its environment group.",
    check: () => {
      expect(after).toMatch(/virtualhosts:\n {2}- name: group\n/);
      expect(VALID_12).toMatch(/virtualhosts:\n {2}- name: default\n/);
    },
  },
  ...(["api.example.com", "www.example.com"] as const).map((host) => ({
    id: `upgrade/overrides/hostAliases/reported-${host.split(".")[0]}`,
    statement: `The host name ${host} of a removed alias is reported.`,
    check: () => expect(reported).toContain(host),
  })),
  {
    id: "upgrade/overrides/routingRules/reported",
    statement: "The paths of removed routing rules are reported.",
    check: () => expect(reported).toContain("/v1"),
  },
  {
    id: "upgrade/overrides/externalSeedHost/address",
    statement: "`cassandra.externalSeedHost` is the address of a node.",
    check: () =>
      expect(
        errors(
          file("cassandra:\n  replicaCount: 3\n  externalSeedHost: 10.0.0.7\n"),
        ),
      ).toBe(""),
  },
  {
    id: "upgrade/overrides/externalSeedHost/name",
    statement:
      "A host name is an error when the runtime is installed in production.",
    check: () =>
      expect(
        errors(
          file("cassandra:\n  replicaCount: 3\n  externalSeedHost: node-one\n"),
          { mode: "prod", phase: "install" } as Options,
        ),
      ).toContain("externalSeedHost"),
  },
  {
    id: "upgrade/overrides/externalSeedHost/temporary",
    statement: "`cassandra.externalSeedHost` is an error after the upgrade.",
    check: () =>
      expect(
        errors(
          file("cassandra:\n  replicaCount: 3\n  externalSeedHost: 10.0.0.7\n"),
          { phase: "final" } as Options,
        ),
      ).toContain("externalSeedHost"),
  },
  {
    id: "upgrade/overrides/externalSeedHost/install",
    statement: "The installation of an upgrade requires the seed host.",
    check: () =>
      expect(
        errors(file("cassandra:\n  replicaCount: 3\n"), {
          phase: "install",
        } as Options),
      ).toContain("externalSeedHost"),
  },
];

const NEW = { version: "1.3.6", dryRun: "client" } as const;
const OLD = { version: "1.2", dryRun: "client" } as const;
const valid = (
  line: string,
  options: Parameters<typeof checkToolCommand>[1] = NEW,
): string[] => checkToolCommand(line.split(" "), options);

const COMPONENTS = [
  "mart",
  "connect-agent",
  "synchronizer",
  "runtime",
  "udca",
  "metrics",
  "logger",
];
const ACCEPTED: readonly (readonly [id: string, line: string])[] = [
  ["init", "init -f o.yaml"],
  ["apply", "apply -f o.yaml"],
  ["apply-datastore", "apply -f o.yaml --datastore"],
  ["apply-telemetry", "apply -f o.yaml --telemetry"],
  ["apply-org", "apply -f o.yaml --org"],
  ["apply-env", "apply -f o.yaml --env test"],
  ["apply-all-envs", "apply -f o.yaml --all-envs"],
  ["apply-dry-run", "apply -f o.yaml --dry-run=client"],
  ["check-ready", "check-ready -f o.yaml"],
  ["delete-settings", "delete -s virtualhost -f o.yaml"],
];
const REFUSED: readonly (readonly [id: string, line: string, why: string])[] = [
  ["init-file", "init", "without a file"],
  ["apply-file", "apply", "without a file"],
  ["check-ready-file", "check-ready", "without a file"],
  ["apply-bare-dry-run", "apply -f o.yaml --dry-run", "without a value"],
  ["apply-env-name", "apply -f o.yaml --env", "without a name"],
  ["delete-component", "delete -c other -f o.yaml", "with another component"],
  ["delete-all", "delete -f o.yaml", "without a selection"],
  ["unknown", "remove -f o.yaml", "that does not exist"],
  ["unknown-flag", "apply -f o.yaml --everything", "with an unknown flag"],
];

const tool: readonly Statement[] = [
  ...ACCEPTED.map(([name, line]) => ({
    id: `upgrade/tool/${name}`,
    statement: `The control tool has the command \`${line}\`.`,
    check: () => expect(valid(line)).toEqual([]),
  })),
  ...REFUSED.map(([name, line, why]) => ({
    id: `upgrade/tool/refused-${name}`,
    statement: `\`${line.split(" ")[0]}\` ${why} is refused.`,
    check: () => expect(valid(line)).not.toEqual([]),
  })),
  ...COMPONENTS.map((component) => ({
    id: `upgrade/tool/delete-${component}`,
    statement: `The old tool can delete the component \`${component}\`.`,
    check: () =>
      expect(valid(`delete -c ${component} -f o.yaml`, OLD)).toEqual([]),
  })),
  {
    id: "upgrade/tool/delete-several",
    statement: "The old tool can delete several components at once.",
    check: () =>
      expect(valid(`delete -c ${COMPONENTS.join(",")} -f o.yaml`, OLD)).toEqual(
        [],
      ),
  },
  ...(["-s virtualhost", "-c mart"] as const).map((flags) => ({
    id: `upgrade/tool/delete-file${flags.slice(0, 2)}`,
    statement: `\`delete ${flags}\` works without a file.`,
    decision: "Control tool",
    check: () =>
      expect(valid(`delete ${flags}`, OLD).join()).toMatch(/-f|overrides/),
  })),
  {
    id: "upgrade/tool/delete-version",
    statement: "The new tool can delete components.",
    decision: "Control tool",
    check: () => expect(valid("delete -c mart -f o.yaml")).not.toEqual([]),
  },
  ...(
    [
      ["1.15.0", "true"],
      ["1.17.9", "true"],
      ["1.18.0", "client"],
      ["1.22.1", "client"],
    ] as const
  ).map(([version, value]) => ({
    id: `upgrade/tool/dry-run-${version}`,
    statement: `A dry run with kubectl ${version} has the value \`${value}\`.`,
    check: () => {
      expect(dryRunValue(version)).toBe(value);
      const other = value === "true" ? "client" : "true";
      const options = { version: "1.3.6", dryRun: value } as const;
      expect(valid(`apply -f o.yaml --dry-run=${value}`, options)).toEqual([]);
      expect(valid(`apply -f o.yaml --dry-run=${other}`, options)).not.toEqual(
        [],
      );
    },
  })),
];

const OPTIONS: PlanOptions = {
  overrides: "o.yaml",
  oldOverrides: "/old/o.yaml",
  oldHome: "/old",
  cleanUp: "/old/clean-up.sh",
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
    namespace: "apigee",
    environments: ["test", "prod"],
    groups: ["group"],
    replicas: 3,
    hasSeed: false,
    secrets: [],
  },
};
const plan = planUpgrade(OPTIONS);
const demo = planUpgrade({ ...OPTIONS, mode: "demo" });
const text = planReport(plan, "text");
/** Text of a step in the plan. */
function stepText(id: string, of: string = text): string {
  const lines = of.split("\n");
  const start = lines.findIndex((line) => line.startsWith(`${id} `));
  const rest = lines.slice(start + 1);
  const end = rest.findIndex((line) => !line.startsWith("  "));
  return [lines[start], ...rest.slice(0, end < 0 ? undefined : end)].join("\n");
}
const ids = plan.steps.map(({ id }) => id);

/** Contents of steps: words of the source, in the order of the plan. */
const CONTENTS: readonly (readonly [
  id: string,
  name: string,
  statement: string,
  pattern: RegExp,
])[] = [
  ["P1", "tool", "backs up the folder of the old tool", /tar -czvf \S*backup/],
  ["P2", "database", "backs up the database", /back up Cassandra/i],
  ["P3", "platform", "upgrades the platform of the cluster", /cluster/],
  [
    "P4",
    "connect-api",
    "enables the Connect API",
    /gcloud services enable apigeeconnect/,
  ],
  [
    "P5",
    "connect-role",
    "binds the role of the connect agent to MART's account",
    /add-iam-policy-binding[^\n]*apigeeconnect\.Agent/,
  ],
  [
    "P6",
    "connect-property",
    "sets `features.mart.connect.enabled` to true",
    /features\.mart\.connect\.enabled=true/,
  ],
  [
    "P6",
    "hybrid-property",
    "sets `features.hybrid.enabled` to true",
    /features\.hybrid\.enabled=true/,
  ],
  [
    "P7",
    "watcher",
    "creates the Watcher service account",
    /create-service-account apigee-watcher/,
  ],
  [
    "P7",
    "watcher-role",
    "binds the role of the runtime agent to the Watcher account",
    /apigee\.runtimeAgent/,
  ],
  ["P8", "groups", "creates environment groups", /environment groups/],
  [
    "P9",
    "overrides",
    "checks the updated overrides file",
    /overrides validate/,
  ],
  [
    "B1",
    "replicas",
    "scales deployments of the service mesh to at least 2 replicas",
    /scale deployment NAME --replicas=2/,
  ],
  [
    "B1",
    "autoscalers",
    "scales autoscalers of the service mesh to at least 2 replicas",
    /patch hpa NAME[^\n]*"minReplicas":2/,
  ],
  ["B2", "mesh", "installs service mesh 1.5.7 or later", /1\.5\.7 or later/],
  [
    "B3",
    "cert-manager",
    "installs certificate manager 0.14.2",
    /cert-manager-v0\.14\.2\.yaml/,
  ],
  ["B4", "job", "deletes the old installer job", /kubectl delete job/],
  [
    "B4",
    "crd",
    "deletes the old telemetry CRD",
    /kubectl delete crd[^\n]*apigeetelemetries/,
  ],
  [
    "C1",
    "seed",
    "sets `externalSeedHost` to the address of an old node",
    /externalSeedHost/,
  ],
  ["C2", "init", "runs `init`", /apigeectl init -f/],
  ["C3", "dry-run", "runs a dry `apply`", /apply -f \S+ --dry-run=client/],
  ["C4-datastore", "datastore", "applies the datastore", /--datastore/],
  ["C4-telemetry", "telemetry", "applies telemetry", /--telemetry/],
  ["C4-org", "org", "applies the organization", /--org/],
  ["C4-env-test", "env-test", "applies the first environment", /--env test/],
  ["C4-env-prod", "env-prod", "applies the second environment", /--env prod/],
  [
    "D1",
    "ring",
    "verifies that old and new nodes share one cluster",
    /nodetool status/,
  ],
  [
    "D2",
    "seed-removed",
    "removes `externalSeedHost`",
    /remove cassandra\.externalSeedHost/,
  ],
  ["D2", "datastore-again", "applies the datastore again", /--datastore/],
  [
    "D3",
    "virtualhost",
    "deletes the old virtual hosts",
    /delete -s virtualhost -f/,
  ],
  [
    "D3",
    "components",
    "deletes the old components",
    /delete -c mart,connect-agent,synchronizer,runtime,udca,metrics,logger/,
  ],
  ["D4", "decommission", "decommissions the old database", /clean-up\.sh/],
  [
    "D5",
    "mesh-resources",
    "deletes the old resources of the mesh",
    /istio-system/,
  ],
  ["D5", "init-jobs", "deletes the old init jobs", /jobs/],
];

const procedure: readonly Statement[] = [
  ...CONTENTS.map(([id, name, statement, pattern]) => ({
    id: `upgrade/plan/${id}/${name}`,
    statement: `Step ${id} ${statement}.`,
    check: () => expect(stepText(id)).toMatch(pattern),
  })),
  ...CONTENTS.slice(1).flatMap(([id], index): Statement[] => {
    const before = CONTENTS[index]![0];
    if (before === id) return [];
    return [
      {
        id: `upgrade/plan/order/${before}-${id}`,
        statement: `Step ${id} follows step ${before}.`,
        check: () => {
          expect(ids).toContain(id);
          expect(ids.indexOf(before)).toBeLessThan(ids.indexOf(id));
        },
      },
    ];
  }),
  {
    id: "upgrade/plan/phases",
    statement: "The upgrade has four phases.",
    check: () =>
      expect([...new Set(plan.steps.map(({ phase }) => phase))]).toHaveLength(
        4,
      ),
  },
  ...["C4-datastore", "C4-telemetry", "C4-org", "C4-env-test", "D2"].map(
    (id) => ({
      id: `upgrade/plan/${id}/ready`,
      statement: `Step ${id} ends when the pods are ready.`,
      check: () => expect(stepText(id)).toMatch(/check: [^\n]*check-ready -f/),
    }),
  ),
  {
    id: "upgrade/plan/all-envs",
    statement: "All environments can be applied in one step.",
    check: () => {
      const all = planReport(
        planUpgrade({ ...OPTIONS, allEnvs: true }),
        "text",
      );
      expect(all).toMatch(/apply -f \S+ --all-envs/);
      expect(all).not.toMatch(/--env test/);
    },
  },
  {
    id: "upgrade/plan/demo",
    statement: "A demo setup needs one `apply` and `check-ready`.",
    check: () => {
      const [, runtime = ""] = planReport(demo, "text").split(/^Runtime$/m);
      const [c4 = ""] = runtime.split(/^Clean-up$/m);
      expect(c4.match(/\$ apigeectl apply (?!.*--dry-run).*/g)).toEqual([
        "$ apigeectl apply -f o.yaml",
      ]);
      expect(c4).toContain("apigeectl check-ready -f o.yaml");
    },
  },
  ...(["P1", "P2"] as const).map((id) => ({
    id: `upgrade/plan/${id}/recommended`,
    statement: `The plan calls the back-up of step ${id} recommended.`,
    check: () => expect(stepText(id)).toMatch(/recommended/i),
  })),
  {
    id: "upgrade/plan/B2/checked",
    statement: "Step B2 checks the version of the service mesh.",
    check: () => expect(stepText("B2")).toMatch(/check: [^\n]*1\.5\.7/),
  },
  {
    id: "upgrade/plan/D5/commands",
    statement: "Step D5 has the commands that delete the resources.",
    check: () => expect(stepText("D5")).toMatch(/\$ kubectl[^\n]*delete/),
  },
  {
    id: "upgrade/plan/shell",
    statement: "The plan can be printed as a script.",
    check: () => expect(planReport(plan, "shell")).toMatch(/^#!/),
  },
];

const limits: readonly Statement[] = [
  {
    id: "upgrade/limits/replicas",
    statement:
      "Deployments and autoscalers of the mesh have 2 replicas or more.",
    check: () => expect(stepText("B1")).toContain("at least 2 replicas"),
  },
];

const PLATFORMS = [
  ["gke", "1.15.x"],
  ["anthos", "1.5"],
  ["aks", "1.16.x"],
] as const;
const versioning: readonly Statement[] = [
  ...["1.2", "1.2.0", "1.2.2"].map((from) => ({
    id: `upgrade/versioning/from-${from}`,
    statement: `The upgrade from ${from} to 1.3.6 is supported.`,
    check: () => expect(versionProblem(from, "1.3.6")).toBeUndefined(),
  })),
  ...["1.0.0", "1.1.1", "1.3.0"].map((from) => ({
    id: `upgrade/versioning/from-${from}`,
    statement: `The upgrade from ${from} is refused.`,
    check: () => expect(versionProblem(from, "1.3.6")).toBeTypeOf("string"),
  })),
  ...["1.3.0", "1.3.5", "1.4.0"].map((to) => ({
    id: `upgrade/versioning/to-${to}`,
    statement: `The upgrade to ${to} is refused.`,
    check: () => expect(versionProblem("1.2.0", to)).toBeTypeOf("string"),
  })),
  ...PLATFORMS.map(([platform, version]) => ({
    id: `upgrade/versioning/platform-${platform}`,
    statement: `The platform ${platform} is upgraded to ${version}.`,
    check: () => {
      const own = planReport(planUpgrade({ ...OPTIONS, platform }), "text");
      expect(stepText("P3", own)).toContain(version);
    },
  })),
];

acceptance({ seed: 3, section: "Runtime overrides file" }, overrides);
acceptance({ seed: 3, section: "Endpoints: control tool" }, tool);
acceptance({ seed: 3, section: "Endpoints: upgrade order" }, procedure);
acceptance({ seed: 3, section: "Limits" }, limits);
acceptance({ seed: 3, section: "Versioning" }, versioning);
