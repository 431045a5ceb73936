import { upgrade } from "#built/overrides.js";
import {
  toolAction,
  createCheck,
  kubectlCommand,
  listWorkloadsCommand,
  manualAction,
  oldToolCommand,
  checkedAction,
  readinessCheck,
  repeatableAction,
  validateCommand,
} from "./commands.js";
import type { PlanOptions } from "./plan-options.js";
import type { Action, Check, Step } from "./step.js";
import { commandLine } from "./argument.js";

/** Returns the steps of phase D (clean-up), which remove the old runtime. */
export function cleanUpSteps(options: PlanOptions): Step[] {
  const { overrides, settings } = options;
  const { namespace, replicas } = settings;
  const deletedCheck = oldResourcesCheck(namespace);
  return [
    step({
      id: "D1",
      title:
        "Check that the old and new database nodes are in the same Cassandra ring",
      actions: [],
      checks: [ringCheck(namespace, { kind: "ring", least: replicas + 1 })],
      undo: "not needed, because this step changes nothing",
    }),
    step({
      id: "D2",
      title: "Remove externalSeedHost and apply the database settings again",
      preconditions: [
        "step D1 found the old and new database nodes in the same Cassandra ring",
      ],
      actions: [
        {
          kind: "builtin",
          name: "drop-seed",
          like: [`remove cassandra.externalSeedHost from ${overrides}`],
        },
        toolAction(options, "apply", "--datastore"),
      ],
      checks: [readinessCheck(options)],
      undo: "set externalSeedHost again, and run `apigeectl apply --datastore`",
    }),
    step({
      id: "D3",
      title: "Delete the resources of the old runtime with the old apigeectl",
      preconditions: [
        "traffic was tested against the new runtime",
        "the old apigeectl and the old overrides file are available",
      ],
      actions: [
        {
          kind: "builtin",
          name: "see-old",
          like: [validateCommand(options.oldOverrides, ["--target", "1.2"])],
        },
        // This command has no check: a check could not distinguish deleted
        // resources from resources that never existed. Deleting them again is
        // harmless.
        {
          kind: "command",
          command: oldToolCommand(options, "delete", "-s", "virtualhost"),
          isRepeatable: true,
        },
        checkedAction(
          oldToolCommand(
            options,
            "delete",
            "-c",
            upgrade.oldComponents.join(","),
          ),
          deletedCheck,
        ),
      ],
      checks: [deletedCheck, readinessCheck(options)],
      undo: "apply the old overrides file with the old apigeectl",
      isDestructive: true,
    }),
    step({
      id: "D4",
      title: "Remove the old database",
      preconditions: [
        "the backup from step P2 can be restored; restoring it is the only way to undo this step",
      ],
      actions: [decommission(options)],
      checks: [
        ringCheck(namespace, { kind: "ring", least: replicas, most: replicas }),
      ],
      undo: "restore the backup from step P2",
      isDestructive: true,
    }),
    step({
      id: "D5",
      title:
        "Delete the init jobs and the remaining resources of the old service mesh",
      actions: [
        ...deleteOldMesh(),
        manualAction(
          `delete the init jobs of the old runtime, which the list contains, one by one: ${commandLine(kubectlCommand("get", "jobs", "-n", namespace))}; ${commandLine(kubectlCommand("delete", "job", "JOB", "-n", namespace))}`,
        ),
      ],
      undo: "install the resources from the saved manifests",
      isDestructive: true,
    }),
    step({
      id: "D6",
      title: "Check that the overrides file has no upgrade settings",
      actions: [
        {
          kind: "builtin",
          name: "finish",
          like: [validateCommand(overrides, ["--phase", "final"])],
        },
      ],
      undo: "not needed, because this step changes nothing",
    }),
  ];
}

/** Deployments that the service mesh has only before version 1.5. */
const OLD_MESH = [
  "istio-citadel",
  "istio-galley",
  "istio-policy",
  "istio-sidecar-injector",
  "istio-telemetry",
];

/**
 * Returns the commands that delete the resources of the old service mesh. The
 * service istio-pilot stays, because version 1.5 has one of the same name.
 */
function deleteOldMesh(): Action[] {
  const { meshNamespace } = upgrade.names;
  const remove = (...args: string[]): Action =>
    repeatableAction(
      "kubectl",
      "delete",
      ...args,
      "--ignore-not-found",
      "-n",
      meshNamespace,
    );
  return [
    remove("deployments", ...OLD_MESH, "istio-pilot"),
    remove("services", ...OLD_MESH),
    remove("jobs", "--field-selector=status.successful=1"),
  ];
}

function ringCheck(namespace: string, expect: Check["expect"]): Check {
  const { newCassandraPod } = upgrade.names;
  return createCheck(
    "all nodes of the Cassandra ring are up",
    kubectlCommand(
      "exec",
      newCassandraPod,
      "-n",
      namespace,
      "--",
      "nodetool",
      "status",
    ),
    expect,
  );
}

function oldResourcesCheck(namespace: string): Check {
  return createCheck(
    "the old resources are deleted",
    listWorkloadsCommand(namespace),
    {
      kind: "old-gone",
    },
  );
}

function decommission(options: PlanOptions): Action {
  const { cleanUp: script, settings } = options;
  if (script === undefined)
    return manualAction(
      "decommission the old Cassandra nodes with the script that is included in apigeectl; `gen upgrade run --clean-up-script` runs this script",
    );
  return checkedAction(
    { argv: [script] },
    ringCheck(settings.namespace, {
      kind: "ring",
      least: settings.replicas,
      most: settings.replicas,
    }),
  );
}

function step(
  part: Pick<Step, "id" | "title" | "actions" | "undo"> & Partial<Step>,
): Step {
  return {
    phase: "clean-up",
    preconditions: [],
    checks: [],
    isDestructive: false,
    isOptional: false,
    ...part,
  };
}
