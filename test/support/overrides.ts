import {
  checkFile,
  type CheckOptions,
  resolveCheckOptions,
  type CheckResult,
} from "../../src/overrides/validate.js";

/** File for 1.3.6 without findings in demo mode. */
export const VALID_13 = `org: example
instanceID: cluster-one-us-east1
gcp:
  projectID: project-one
  region: us-east1
k8sCluster:
  name: cluster-one
  region: us-east1
virtualhosts:
  - name: group
    sslCertPath: ./certs/group.pem
    sslKeyPath: ./certs/group.key
envs:
  - name: test
    serviceAccountPaths:
      synchronizer: ./accounts/synchronizer.json
      udca: ./accounts/udca.json
mart:
  serviceAccountPath: ./accounts/mart.json
connectAgent:
  serviceAccountPath: ./accounts/mart.json
metrics:
  serviceAccountPath: ./accounts/metrics.json
watcher:
  serviceAccountPath: ./accounts/watcher.json
`;

/** File for 1.2 with all properties that 1.3 removed. */
export const VALID_12 = `# Overrides of the first cluster.
gcpProjectID: project-one # the only project
gcpRegion: us-east1

k8sClusterName: "cluster-one"
k8sClusterRegion: us-east1
org: example

virtualhosts:
  - name: default
    hostAliases:
      - api.example.com # the old name
      - www.example.com
    sslCertPath: ./certs/group.pem
    sslKeyPath: ./certs/group.key
    routingRules:
      - env: test
        paths:
          - /v1
        # slow back end
        connectTimeout: 57

envs:
  - name: test
    serviceAccountPaths:
      synchronizer: ./accounts/project-one-apigee-synchronizer.json
      udca: ./accounts/project-one-apigee-udca.json

mart:
  hostAlias: mart.example.com
  serviceAccountPath: ./accounts/project-one-apigee-mart.json # MART
  sslCertPath: ./certs/mart.pem
  sslKeyPath: ./certs/mart.key

metrics:
  serviceAccountPath: ./accounts/project-one-apigee-metrics.json

ingress:
  runtime:
    loadBalancerIP: 203.0.113.7
`;

/** Checks a text for 1.3.6, in demo mode by default. */
export function check(
  text: string | Uint8Array,
  options: Partial<CheckOptions> & { readonly target?: string } = {},
): CheckResult {
  const { target = "1.3.6", mode = "demo", ...others } = options;
  const bytes = typeof text === "string" ? Buffer.from(text) : text;
  return checkFile(
    "overrides.yaml",
    bytes,
    resolveCheckOptions(target, { mode, ...others }),
  );
}

/** Returns `code line:column severity` of each finding. */
export function briefly({ diagnostics }: CheckResult): string[] {
  return diagnostics.map(
    ({ code, line, column, severity }) =>
      `${code} ${line}:${column} ${severity}`,
  );
}

/** Replaces or adds blocks of the top level by those of a snippet. */
export function withBlocks(base: string, snippet: string): string {
  const own = blocksOf(snippet);
  const names = new Set(own.map(({ name }) => name));
  const kept = blocksOf(base).filter(({ name }) => !names.has(name));
  return [...kept, ...own].map(({ text }) => text).join("");
}

function blocksOf(text: string): { name: string; text: string }[] {
  const blocks: { name: string; text: string }[] = [];
  for (const line of text.replace(/\n$/, "").split("\n")) {
    const name = /^([\w-]+):/.exec(line)?.[1];
    if (name !== undefined || blocks.length === 0)
      blocks.push({ name: name ?? "", text: `${line}\n` });
    else blocks.at(-1)!.text += `${line}\n`;
  }
  return blocks;
}
