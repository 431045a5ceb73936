import { propertyIndex } from "../schema/property-index.js";
import { compareVersions } from "../schema/versions.js";
import type { BuiltinContext } from "./builtin-context.js";
import { certManagerImageCommand } from "./cert-manager.js";
import { kubectlCommand, listWorkloadsCommand } from "./commands.js";
import { oldDatabaseAddressCommand } from "./runtime.js";
import { setSeedHost } from "./seed-host.js";

interface Item {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec?: { readonly replicas?: number; readonly minReplicas?: number };
}

/**
 * Raises the replicas of the service mesh's deployments and autoscalers to the
 * required minimum (step B1).
 */
export async function raiseReplicas({
  query,
  run,
  print,
}: BuiltinContext): Promise<void> {
  const { names, minReplicas } = propertyIndex().table.upgrade;
  const space = ["-n", names.meshNamespace];
  const answer = await query(
    kubectlCommand(...space, "get", "deployments,hpa", "-o", "json"),
  );
  if (answer.code !== 0)
    throw new Error(
      `the workloads of the service mesh can't be listed (exit code ${answer.code})`,
    );
  for (const { kind, metadata, spec } of parseItems(answer.stdout)) {
    const isScaler = kind === "HorizontalPodAutoscaler";
    const count = (isScaler ? spec?.minReplicas : spec?.replicas) ?? 1;
    if (count >= minReplicas) continue;
    print(`${metadata.name} has ${count} of ${minReplicas} replicas`);
    const patch = JSON.stringify({ spec: { minReplicas } });
    const { code } = await run(
      isScaler
        ? kubectlCommand(
            ...space,
            "patch",
            "hpa",
            metadata.name,
            "--type",
            "merge",
            "-p",
            patch,
          )
        : kubectlCommand(
            ...space,
            "scale",
            "deployment",
            metadata.name,
            `--replicas=${minReplicas}`,
          ),
    );
    if (code !== 0) throw new Error(`${metadata.name} can't be scaled`);
  }
}

function parseItems(text: string): readonly Item[] {
  try {
    return (JSON.parse(text) as { items?: readonly Item[] }).items ?? [];
  } catch {
    throw new Error("the output of kubectl must be JSON");
  }
}

/**
 * Records the workloads of the old runtime (step C0). The database is not
 * recorded, because step D4 removes it separately.
 */
export async function recordOldResources({
  options,
  query,
  recordOldResources: record,
}: BuiltinContext): Promise<void> {
  const { code, stdout } = await query(
    listWorkloadsCommand(options.settings.namespace),
  );
  if (code !== 0)
    throw new Error(
      `the resources of the old runtime can't be listed (exit code ${code})`,
    );
  const { oldComponents } = propertyIndex().table.upgrade;
  const names = stdout
    .split(/\s+/)
    .filter((name) =>
      oldComponents.some((component) => name.includes(component)),
    );
  if (names.length === 0)
    throw new Error(
      `the namespace ${options.settings.namespace} has no resources of the old runtime`,
    );
  record(names);
}

/**
 * Sets `cassandra.externalSeedHost` to the address of an old database node
 * (step C1).
 */
export async function setSeedFromOldDatabase({
  options,
  cwd,
  query,
  print,
}: BuiltinContext): Promise<void> {
  const { code, stdout } = await query(
    oldDatabaseAddressCommand(options.settings.namespace),
  );
  if (code !== 0)
    throw new Error(
      `the address of the old database can't be read (exit code ${code})`,
    );
  const address = stdout.trim();
  setSeedHost(options.overrides, cwd, address);
  print(`cassandra.externalSeedHost: ${address}`);
}

/**
 * Throws an error if the installed cert-manager is newer than the version that
 * step B3 installs, because cert-manager must not be downgraded.
 */
export async function checkCertManagerVersion({
  query,
}: BuiltinContext): Promise<void> {
  const { code, stdout } = await query(certManagerImageCommand());
  if (code !== 0)
    throw new Error(
      `the installed version of the certificate manager can't be read (exit code ${code})`,
    );
  const image = stdout.trim();
  if (image === "") return;
  const { certManager } = propertyIndex().table.upgrade;
  const version = /:v?(\d+\.\d+(?:\.\d+)?)/.exec(image)?.[1];
  if (version === undefined)
    throw new Error(
      `the version of the image ${image} is unknown; if it is older than ${certManager}, install ${certManager} manually, and mark this step as done with --done B3`,
    );
  if (compareVersions(version, certManager) > 0)
    throw new Error(
      `certificate manager ${version} is installed, which is newer than ${certManager}; keep it, and mark this step as done with --done B3`,
    );
}
