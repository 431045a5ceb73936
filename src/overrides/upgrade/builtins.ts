import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { propertyIndex } from "../schema/property-index.js";
import { compareVersions } from "../schema/versions.js";
import {
  checkFile,
  resolveCheckOptions,
  type CheckResult,
} from "../validate.js";
import { certManagerImageCommand } from "./cert-manager.js";
import { kubectlCommand, listWorkloadsCommand } from "./commands.js";
import type { CommandResult } from "./execute.js";
import { readUpgradeSettings } from "./settings.js";
import type { PlanOptions } from "./plan-options.js";
import { setOrganizationProperties } from "./organization-properties.js";
import { oldDatabaseAddressCommand } from "./runtime.js";
import { removeSeedHost, hasSeedHost, setSeedHost } from "./seed-host.js";
import type { Builtin, Command } from "./step.js";

/** Options and functions for builtin actions. */
export interface BuiltinContext {
  readonly options: PlanOptions;
  readonly cwd: string;
  /** Base URL of the control plane. */
  readonly api: string;
  /** Runs a command without printing its output. */
  readonly query: (command: Command) => Promise<CommandResult>;
  /**
   * Runs a command that changes something, and prints the command and its
   * output.
   */
  readonly run: (command: Command) => Promise<CommandResult>;
  readonly print: (line: string) => void;
  /** Masks a value in all further output. */
  readonly hide: (secret: string) => void;
  readonly oldResources: () => readonly string[] | undefined;
  readonly noteOld: (names: readonly string[]) => void;
}

/**
 * Builtin actions. Each may run twice, and throws an error with the reason if
 * it fails.
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
  "note-old": noteOld,
  "set-seed": setSeedFromOldDatabase,
  "see-seed": checkSeedHost,
  "drop-seed": ({ options, cwd }) => removeSeedHost(options.overrides, cwd),
};

/** P9 also checks that files named in the settings exist. */
function validateFile(
  { options, cwd, print }: BuiltinContext,
  phase?: "final",
): void {
  const { overrides, mode, home } = options;
  const bytes = readFileSync(path.resolve(cwd, overrides));
  const target = propertyIndex().table.defaultTarget;
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
  const wrong = checked.diagnostics.filter(
    ({ severity, code }) => severity === "error" || code === "S09",
  );
  for (const { line, column, code, message } of wrong)
    print(`${overrides}:${line}:${column}: ${code}: ${message}`);
  if (wrong.length > 0)
    throw new Error(
      `${overrides} has ${wrong.length} error${wrong.length === 1 ? "" : "s"}`,
    );
  if (phase === "final" && hasSeedHost(path.resolve(cwd, overrides)))
    throw new Error("cassandra.externalSeedHost is still in the file");
}

async function organizationProperties(context: BuiltinContext): Promise<void> {
  const { options, api, query, hide, print } = context;
  const { code, stdout } = await query({
    argv: ["gcloud", "auth", "print-access-token"],
  });
  const token = stdout.trim();
  if (code !== 0 || token === "")
    throw new Error("gcloud returned no access token");
  hide(token);
  print(`sending an access token of gcloud to ${new URL(api).host}`);
  const { features } = propertyIndex().table.upgrade;
  await setOrganizationProperties(api, options.settings.org, features, token);
}

interface Item {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec?: { readonly replicas?: number; readonly minReplicas?: number };
}

async function raiseReplicas({
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
      `the workloads of the mesh can't be listed (exit code ${answer.code})`,
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

/** The database is not included, since D4 removes it. */
async function noteOld({
  options,
  query,
  noteOld: note,
}: BuiltinContext): Promise<void> {
  const { code, stdout } = await query(
    listWorkloadsCommand(options.settings.namespace),
  );
  if (code !== 0) throw new Error("the old resources can't be listed");
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
  note(names);
}

/**
 * Without a seed host, the new database would create a separate ring without
 * data.
 */
function checkSeedHost({ options, cwd }: BuiltinContext): void {
  if (!hasSeedHost(path.resolve(cwd, options.overrides)))
    throw new Error("cassandra.externalSeedHost is not in the file; run C1");
}

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
    throw new Error("the address of the old database can't be read");
  const address = stdout.trim();
  setSeedHost(options.overrides, cwd, address);
  print(`cassandra.externalSeedHost: ${address}`);
}

/** B3 must not replace a version by an older one. */
async function checkCertManagerVersion({
  query,
}: BuiltinContext): Promise<void> {
  const { code, stdout } = await query(certManagerImageCommand());
  if (code !== 0)
    throw new Error("the image of the certificate manager can't be read");
  const image = stdout.trim();
  if (image === "") return;
  const { certManager } = propertyIndex().table.upgrade;
  const version = /:v?(\d+\.\d+(?:\.\d+)?)/.exec(image)?.[1];
  if (version === undefined)
    throw new Error(
      `the version of the image ${image} is unknown; compare it with ${certManager}, then pass --done B3 or install ${certManager} by hand`,
    );
  if (compareVersions(version, certManager) > 0)
    throw new Error(
      `certificate manager ${version} is installed, which is newer than ${certManager}; keep it, and pass --done B3`,
    );
}

/**
 * The old control tool deletes the resources of the file it is given, so the
 * file must be that of the old runtime.
 */
function checkOldOverrides({
  options,
  cwd,
  oldResources,
}: BuiltinContext): void {
  if (oldResources() === undefined)
    throw new Error(
      "the resources of the old runtime were not recorded (step C0)",
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
      `${oldOverrides} must be an overrides file for 1.2; it looks like ${detected.version}: ${detected.evidence}`,
    );
  const { org } = readUpgradeSettings(root, cwd);
  if (org !== settings.org)
    throw new Error(
      `${oldOverrides} must have the organization ${settings.org}`,
    );
}
