import { knowledge } from "../schema/property-index.js";
import { check, kubectl, repeatable } from "./commands.js";
import type { PlanOptions } from "./plan-options.js";
import type { Command, Step } from "./step.js";

const DEPLOYMENTS: readonly string[] = [
  "cert-manager",
  "cert-manager-cainjector",
  "cert-manager-webhook",
];

/** Prints the image of the certificate manager; nothing where none is installed. */
export function certManagerImage(): Command {
  const { certManagerNamespace } = knowledge().table.upgrade.names;
  return kubectl(
    "get",
    "deployment",
    "cert-manager",
    "--ignore-not-found",
    "-o",
    "jsonpath={.spec.template.spec.containers[0].image}",
    "-n",
    certManagerNamespace,
  );
}

/**
 * B3: the manifest is fetched and parsed before the old deployments are deleted.
 * `rm` comes first because curl would write through a link.
 */
export function certManager({
  dryRun,
}: PlanOptions): Omit<Step, "phase" | "isOptional"> {
  const { upgrade } = knowledge().table;
  const { certManager: version, names } = upgrade;
  const manifest = `./cert-manager-v${version}.yaml`;
  const url = `https://github.com/jetstack/cert-manager/releases/download/v${version}/cert-manager.yaml`;
  const inNamespace = ["-n", names.certManagerNamespace];
  const apply = ["kubectl", "apply", "--validate=false"];
  return {
    id: "B3",
    title: `Install certificate manager ${version}`,
    preconditions: [
      "the old manifests are kept",
      `no version later than ${version} is installed; a later one stays, and B3 is done`,
    ],
    actions: [
      { kind: "builtin", name: "see-cert-manager", like: [certManagerImage()] },
      repeatable("rm", "-f", manifest),
      repeatable("curl", "-fsSL", "--proto", "=https", "-o", manifest, url),
      repeatable(...apply, `--dry-run=${dryRun}`, "-f", manifest),
      repeatable(
        "kubectl",
        "delete",
        "deployment",
        ...DEPLOYMENTS,
        "--ignore-not-found",
        ...inNamespace,
      ),
      repeatable(...apply, "-f", manifest),
    ],
    checks: [
      check(
        "its three pods are ready",
        kubectl(
          "wait",
          "--for=condition=Available",
          "deployment",
          ...DEPLOYMENTS,
          "--timeout=5s",
          ...inNamespace,
        ),
      ),
    ],
    undo: "apply the old manifest; clusters below Kubernetes 1.15 need the legacy manifest of each version",
    isDestructive: true,
  };
}
