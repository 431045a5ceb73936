import { upgrade } from "#built/overrides.js";
import path from "node:path";
import type { CommandResult } from "./execute.js";
import type { PlanOptions } from "./plan-options.js";
import type { StepCommand, Builtin } from "./step.js";
import { propertyIndex } from "../schema/property-index.js";
import { setOrganizationProperties } from "./control-plane.js";
import { removeSeedHost, setSeedHost, hasSeedHost } from "./seed-host.js";
import { compareVersions } from "../../runtime/rules/versions.js";
import { certManagerImageCommand } from "./cert-manager.js";
import { kubectlCommand, listWorkloadsCommand } from "./commands.js";
import { oldDatabaseAddressCommand } from "./runtime.js";
import { existsSync, readFileSync } from "node:fs";
import { formatCount } from "../../diagnostics/format-count.js";
import {
  checkFile,
  resolveCheckOptions,
  type CheckResult,
} from "../validate.js";
import { readUpgradeSettings } from "./settings.js";

/**
 * Options and functions for upgrade actions that are implemented in TypeScript.
 */
export interface BuiltinContext {
  readonly options: PlanOptions;
  readonly cwd: string;
  /** Base URL of the control plane API. */
  readonly api: string;
  /** Runs a command without printing its output. */
  readonly query: (command: StepCommand) => Promise<CommandResult>;
  /**
   * Runs a command that changes the system; prints the command and its output.
   */
  readonly run: (command: StepCommand) => Promise<CommandResult>;
  readonly print: (line: string) => void;
  /** Masks a secret in all further output. */
  readonly hide: (secret: string) => void;
  readonly oldResources: () => readonly string[] | undefined;
  readonly recordOldResources: (names: readonly string[]) => void;
}

/**
 * Upgrade actions that are implemented in TypeScript, keyed by name. All of
 * them are idempotent. The error message of a failed action states the reason.
 */
export const builtins: Readonly<
  Record<Builtin, (context: BuiltinContext) => Promise<void> | void>
> = {
  validate: (context) => validateFile(context),
  finish: (context) => validateFile(context, "final"),
  "org-properties": organizationProperties,
  "raise-replicas": raiseReplicas,
  "see-cert-manager": checkCertManagerVersion,
  "see-old": checkOldOverrides,
  "note-old": recordOldResources,
  "set-seed": setSeedFromOldDatabase,
  "see-seed": checkSeedHost,
  "drop-seed": ({ options, cwd }) => removeSeedHost(options.overrides, cwd),
};

async function organizationProperties(context: BuiltinContext): Promise<void> {
  const { options, api, query, hide, print } = context;
  const { code, stdout } = await query({
    argv: ["gcloud", "auth", "print-access-token"],
  });
  const token = stdout.trim();
  if (code !== 0 || token === "")
    throw new Error("gcloud returned no access token");
  hide(token);
  print(`sending a gcloud access token to ${new URL(api).host}`);
  const { features } = upgrade;
  await setOrganizationProperties(api, options.settings.org, features, token);
}

interface Item {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec?: { readonly replicas?: number; readonly minReplicas?: number };
}

/**
 * Raises the replicas of the service mesh's deployments and autoscalers to the
 * required minimum (step B1).
 */
async function raiseReplicas({
  query,
  run,
  print,
}: BuiltinContext): Promise<void> {
  const { names, minReplicas } = upgrade;
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
  const { oldComponents } = upgrade;
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
async function setSeedFromOldDatabase({
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
async function checkCertManagerVersion({
  query,
}: BuiltinContext): Promise<void> {
  const { code, stdout } = await query(certManagerImageCommand());
  if (code !== 0)
    throw new Error(
      `the installed version of the certificate manager can't be read (exit code ${code})`,
    );
  const image = stdout.trim();
  if (image === "") return;
  const { certManager } = upgrade;
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

/**
 * Validates the overrides file (steps P9 and D6). Step P9 also checks that
 * files named in the settings exist.
 */
export function validateFile(
  { options, cwd, print }: BuiltinContext,
  phase?: "final",
): void {
  const { overrides, mode, home } = options;
  const bytes = readFileSync(path.resolve(cwd, overrides));
  const target = propertyIndex().rules.defaultTarget;
  const folder = path.resolve(cwd, home ?? ".");
  const checked = checkFile(
    overrides,
    bytes,
    resolveCheckOptions(target, {
      mode,
      ...(phase === undefined
        ? { fileExists: (name) => existsSync(path.resolve(folder, name)) }
        : { phase }),
    }),
  );
  const errors = checked.diagnostics.filter(
    ({ severity, code }) => severity === "error" || code === "S09",
  );
  for (const { line, column, code, message } of errors)
    print(`${overrides}:${line}:${column}: ${code}: ${message}`);
  if (errors.length > 0)
    throw new Error(`${overrides} has ${formatCount(errors.length, "error")}`);
  if (phase === "final" && hasSeedHost(path.resolve(cwd, overrides)))
    throw new Error(
      "cassandra.externalSeedHost is still in the overrides file; run step D2",
    );
}

/**
 * Checks that `cassandra.externalSeedHost` is set (step C4). Without this key,
 * the new database nodes would form a separate, empty Cassandra ring.
 */
function checkSeedHost({ options, cwd }: BuiltinContext): void {
  if (!hasSeedHost(path.resolve(cwd, options.overrides)))
    throw new Error(
      "cassandra.externalSeedHost is not in the overrides file; run step C1",
    );
}

/**
 * Checks the overrides file of the old version before the old resources are
 * deleted (step D3). `apigeectl` deletes every resource that this file
 * describes, so a wrong file would delete resources that are still needed.
 */
function checkOldOverrides({
  options,
  cwd,
  oldResources,
}: BuiltinContext): void {
  if (oldResources() === undefined)
    throw new Error(
      "the resources of the old runtime were not recorded; run step C0",
    );
  const { oldOverrides, settings } = options;
  const file = path.resolve(cwd, oldOverrides);
  let checked: CheckResult;
  try {
    checked = checkFile(file, readFileSync(file), resolveCheckOptions("1.2"));
  } catch (error) {
    throw new Error(`--old-overrides: ${(error as Error).message}`);
  }
  const { root, detected } = checked;
  if (root === undefined || detected.version !== "1.2")
    throw new Error(
      `${oldOverrides} must be an overrides file for version 1.2; its detected version is ${detected.version} (${detected.evidence})`,
    );
  const { org } = readUpgradeSettings(root, cwd);
  if (org !== settings.org)
    throw new Error(
      `${oldOverrides} must be for the organization ${settings.org}`,
    );
}
