import { upgrade } from "#built/overrides.js";
import { createCheck, kubectlCommand, repeatableAction } from "./commands.js";
import type { PlanOptions } from "./plan-options.js";
import type { StepCommand, Step } from "./step.js";

const DEPLOYMENTS: readonly string[] = [
  "cert-manager",
  "cert-manager-cainjector",
  "cert-manager-webhook",
];

/**
 * Returns the command that prints the image of the installed cert-manager. The
 * command prints nothing if cert-manager is not installed.
 */
export function certManagerImageCommand(): StepCommand {
  const { certManagerNamespace } = upgrade.names;
  return kubectlCommand(
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
 * Upgrades cert-manager (step B3). The manifest is downloaded and parsed before
 * the old deployments are deleted. The target file is removed with `rm` first,
 * because curl would write through an existing symbolic link.
 */
export function certManagerStep({
  dryRun,
}: PlanOptions): Omit<Step, "phase" | "isOptional"> {
  const { certManager: version, names } = upgrade;
  const manifest = `./cert-manager-v${version}.yaml`;
  const url = `https://github.com/jetstack/cert-manager/releases/download/v${version}/cert-manager.yaml`;
  const inNamespace = ["-n", names.certManagerNamespace];
  const apply = ["kubectl", "apply", "--validate=false"];
  return {
    id: "B3",
    title: `Install certificate manager ${version}`,
    preconditions: [
      "the old manifests are saved",
      `no certificate manager newer than ${version} is installed; if a newer one is installed, keep it and skip this step with --done B3`,
    ],
    actions: [
      {
        kind: "builtin",
        name: "see-cert-manager",
        like: [certManagerImageCommand()],
      },
      repeatableAction("rm", "-f", manifest),
      repeatableAction(
        "curl",
        "-fsSL",
        "--proto",
        "=https",
        "-o",
        manifest,
        url,
      ),
      repeatableAction(...apply, `--dry-run=${dryRun}`, "-f", manifest),
      repeatableAction(
        "kubectl",
        "delete",
        "deployment",
        ...DEPLOYMENTS,
        "--ignore-not-found",
        ...inNamespace,
      ),
      repeatableAction(...apply, "-f", manifest),
    ],
    checks: [
      createCheck(
        "the three deployments of the certificate manager are available",
        kubectlCommand(
          "wait",
          "--for=condition=Available",
          "deployment",
          ...DEPLOYMENTS,
          "--timeout=5s",
          ...inNamespace,
        ),
      ),
    ],
    undo: "apply the old manifest; on Kubernetes before 1.15, apply the legacy manifest of the old version",
    isDestructive: true,
  };
}
