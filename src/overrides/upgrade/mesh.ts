import { knowledge } from "../schema/load.js";
import { check, kubectl, manual, repeatable } from "./commands.js";
import type { PlanOptions } from "./options.js";
import type { Step } from "./step.js";

/** B: what the runtime stands on. */
export function mesh({ facts }: PlanOptions): Step[] {
  const { upgrade } = knowledge().table;
  const { names, minReplicas, certManager } = upgrade;
  const { namespace } = facts;
  const common = { phase: "mesh", isOptional: false } as const;
  return [
    {
      ...common,
      id: "B1",
      title: `Raise deployments and autoscalers of the service mesh to ${minReplicas} replicas`,
      preconditions: [
        "with one replica, disruption budgets block the upgrade of the mesh",
      ],
      actions: [
        {
          kind: "builtin",
          name: "raise-replicas",
          like: [
            `kubectl -n ${names.meshNamespace} get deployments,hpa -o json`,
            `kubectl -n ${names.meshNamespace} scale deployment NAME --replicas=${minReplicas}`,
            `kubectl -n ${names.meshNamespace} patch hpa NAME --type merge -p {"spec":{"minReplicas":${minReplicas}}}`,
          ],
        },
      ],
      checks: [],
      undo: "scale them down again",
      isDestructive: false,
    },
    {
      ...common,
      id: "B2",
      title: `Install service mesh ${upgrade.mesh} or later`,
      preconditions: [
        "the old manifests are kept",
        "the address of the load balancer is known; `gen overrides rewrite` has listed it",
      ],
      actions: [
        manual(
          `install service mesh ${upgrade.mesh} or later with the saved address of the load balancer, by its own installer`,
        ),
      ],
      checks: [
        check(
          "the pods of the mesh run",
          kubectl("-n", names.meshNamespace, "get", "pods", "--no-headers"),
          {
            kind: "lacks",
            pattern: "Pending|CrashLoop|Error|ContainerCreating|\\b0/",
          },
        ),
      ],
      undo: "install the old version from the kept manifests",
      isDestructive: false,
    },
    {
      ...common,
      id: "B3",
      title: `Install certificate manager ${certManager}`,
      preconditions: ["the old manifests are kept"],
      actions: [
        repeatable(
          ..."kubectl delete deployment cert-manager cert-manager-cainjector cert-manager-webhook --ignore-not-found -n".split(
            " ",
          ),
          names.certManagerNamespace,
        ),
        repeatable(
          "kubectl",
          "apply",
          "--validate=false",
          "-f",
          `https://github.com/jetstack/cert-manager/releases/download/v${certManager}/cert-manager.yaml`,
        ),
      ],
      checks: [
        check(
          "its three pods are ready",
          kubectl(
            "wait",
            "--for=condition=Available",
            "deployment",
            "cert-manager",
            "cert-manager-cainjector",
            "cert-manager-webhook",
            "--timeout=5s",
            "-n",
            names.certManagerNamespace,
          ),
        ),
      ],
      undo: "apply the old manifest; clusters below Kubernetes 1.15 need the legacy manifest of each version",
      isDestructive: true,
    },
    {
      ...common,
      id: "B4",
      title: "Delete the old installer job and the old telemetry definition",
      preconditions: [
        `the names are those of the cluster: kubectl get crd, kubectl -n ${namespace} get jobs`,
      ],
      actions: [
        repeatable(
          ..."kubectl delete job --ignore-not-found".split(" "),
          names.oldInstallerJob,
          "-n",
          namespace,
        ),
        repeatable(
          ..."kubectl delete crd --ignore-not-found".split(" "),
          names.oldTelemetryCrd,
        ),
      ],
      checks: [
        check(
          "the definition is gone",
          kubectl("get", "crd", names.oldTelemetryCrd, "--ignore-not-found"),
          { kind: "nothing" },
        ),
      ],
      undo: "`apigeectl init` of the old control tool creates both again",
      isDestructive: true,
    },
  ];
}
