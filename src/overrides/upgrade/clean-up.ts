import { knowledge } from "../schema/property-index.js";
import {
  apply,
  check,
  kubectl,
  namesOfWorkloads,
  manual,
  oldTool,
  once,
  ready,
  validation,
} from "./commands.js";
import type { PlanOptions } from "./plan-options.js";
import type { Action, Check, Step } from "./step.js";
import { commandLine } from "./argument.js";

/** D: from two runtimes to the new one. */
export function cleanUp(options: PlanOptions): Step[] {
  const { overrides, facts } = options;
  const { upgrade } = knowledge().table;
  const { namespace, replicas } = facts;
  const { meshNamespace } = upgrade.names;
  const gone = oldGone(namespace);
  return [
    step({
      id: "D1",
      title: "See old and new nodes of the database in one ring",
      actions: [],
      checks: [ring(namespace, { kind: "ring", least: replicas + 1 })],
      undo: "nothing was changed",
    }),
    step({
      id: "D2",
      title: "Remove externalSeedHost and apply the database again",
      preconditions: ["D1 saw one ring"],
      actions: [
        {
          kind: "builtin",
          name: "drop-seed",
          like: [`remove cassandra.externalSeedHost from ${overrides}`],
        },
        apply(options, "apply", "--datastore"),
      ],
      checks: [ready(options)],
      undo: "set it again, and apply --datastore",
    }),
    step({
      id: "D3",
      title:
        "Delete the resources of the old runtime, with the old control tool",
      preconditions: [
        "traffic was tested against the new runtime",
        "the old control tool and the old overrides file are at hand",
      ],
      actions: [
        {
          kind: "builtin",
          name: "see-old",
          like: [validation(options.oldOverrides, ["--target", "1.2"])],
        },
        // Deleting an absent resource does no harm, and no check shows whether it was deleted.
        {
          kind: "command",
          command: oldTool(options, "delete", "-s", "virtualhost"),
          isRepeatable: true,
        },
        once(
          oldTool(options, "delete", "-c", upgrade.oldComponents.join(",")),
          gone,
        ),
      ],
      checks: [gone, ready(options)],
      undo: "apply the old overrides file with the old control tool",
      isDestructive: true,
    }),
    step({
      id: "D4",
      title: "Take the old database down",
      preconditions: [
        "the backup of P2 can be restored: from here on it is the only way back",
      ],
      actions: [decommission(options)],
      checks: [
        ring(namespace, { kind: "ring", least: replicas, most: replicas }),
      ],
      undo: "only from the backup of P2",
      isDestructive: true,
    }),
    step({
      id: "D5",
      title: "Delete what is left of the old mesh and the init jobs",
      actions: [
        manual(
          `look them up and delete them one by one: ${commandLine(kubectl("get", "deployments,services,jobs", "-n", meshNamespace))}; ${commandLine(kubectl("get", "jobs", "-n", namespace))}`,
        ),
      ],
      undo: "install them from the kept manifests",
      isDestructive: true,
    }),
    step({
      id: "D6",
      title: "See that nothing of the upgrade is left in the file",
      actions: [
        {
          kind: "builtin",
          name: "finish",
          like: [validation(overrides, ["--phase", "final"])],
        },
      ],
      undo: "nothing was changed",
    }),
  ];
}

function ring(namespace: string, expect: Check["expect"]): Check {
  const { newCassandraPod } = knowledge().table.upgrade.names;
  return check(
    "all nodes of the ring are up",
    kubectl(
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

function oldGone(namespace: string): Check {
  return check("the old resources are gone", namesOfWorkloads(namespace), {
    kind: "old-gone",
  });
}

function decommission(options: PlanOptions): Action {
  const { cleanUp: script, facts } = options;
  if (script === undefined)
    return manual(
      "decommission the old Cassandra nodes with the script that comes with the control tool; --clean-up-script lets `gen upgrade run` do it",
    );
  return once(
    { argv: [script] },
    ring(facts.namespace, {
      kind: "ring",
      least: facts.replicas,
      most: facts.replicas,
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
