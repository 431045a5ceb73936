import { propertyIndex } from "../schema/property-index.js";
import { certManagerStep } from "./cert-manager.js";
import {
  createCheck,
  kubectlCommand,
  manualAction,
  repeatableAction,
} from "./commands.js";
import type { PlanOptions } from "./plan-options.js";
import type { Step } from "./step.js";
import { commandLine } from "./argument.js";

/**
 * Returns the steps of phase B, which upgrade the service mesh and
 * cert-manager.
 */
export function meshSteps(options: PlanOptions): Step[] {
  const { upgrade } = propertyIndex().table;
  const { names, minReplicas } = upgrade;
  const { namespace } = options.settings;
  const inMesh = (...args: string[]) =>
    kubectlCommand("-n", names.meshNamespace, ...args);
  const common = { phase: "mesh", isOptional: false } as const;
  return [
    {
      ...common,
      id: "B1",
      title: `Scale the deployments and autoscalers of the service mesh to at least ${minReplicas} replicas`,
      preconditions: [
        `the upgrade of the service mesh requires at least ${minReplicas} replicas; otherwise, disruption budgets block it`,
      ],
      actions: [
        {
          kind: "builtin",
          name: "raise-replicas",
          like: [
            inMesh("get", "deployments,hpa", "-o", "json"),
            inMesh("scale", "deployment", "NAME", `--replicas=${minReplicas}`),
            inMesh(
              "patch",
              "hpa",
              "NAME",
              "--type",
              "merge",
              "-p",
              JSON.stringify({ spec: { minReplicas } }),
            ),
          ],
        },
      ],
      checks: [],
      undo: "scale the deployments and autoscalers down again",
      isDestructive: false,
    },
    {
      ...common,
      id: "B2",
      title: `Install service mesh ${upgrade.mesh} or later`,
      preconditions: [
        "the old manifests are saved",
        "the address of the load balancer is known; `gen overrides rewrite` lists it",
      ],
      actions: [
        manualAction(
          `install service mesh ${upgrade.mesh} or later with its installer, and keep the address of the load balancer`,
        ),
      ],
      checks: [
        createCheck(
          "the pods of the service mesh are ready",
          inMesh("get", "pods", "--no-headers"),
          { kind: "pods-ready" },
        ),
      ],
      undo: "install the old version from the saved manifests",
      isDestructive: false,
    },
    { ...common, ...certManagerStep(options) },
    {
      ...common,
      id: "B4",
      title: "Delete the old installer job and the old telemetry CRD",
      preconditions: [
        `the names of the job and the CRD match those in the cluster; list them with: kubectl get crd; ${commandLine(kubectlCommand("get", "jobs", "-n", namespace))}`,
      ],
      actions: [
        repeatableAction(
          ..."kubectl delete job --ignore-not-found".split(" "),
          names.oldInstallerJob,
          "-n",
          namespace,
        ),
        repeatableAction(
          ..."kubectl delete crd --ignore-not-found".split(" "),
          names.oldTelemetryCrd,
        ),
      ],
      checks: [
        createCheck(
          "the old telemetry CRD is deleted",
          kubectlCommand(
            "get",
            "crd",
            names.oldTelemetryCrd,
            "--ignore-not-found",
          ),
          { kind: "nothing" },
        ),
      ],
      undo: "run `init` with the old apigeectl, which creates both resources again",
      isDestructive: true,
    },
  ];
}
