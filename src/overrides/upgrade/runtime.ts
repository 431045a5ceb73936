import { upgrade } from "#built/overrides.js";
import {
  toolAction,
  createCheck,
  kubectlCommand,
  listWorkloadsCommand,
  readinessCheck,
  validateCommand,
} from "./commands.js";
import type { PlanOptions } from "./plan-options.js";
import type { Action, StepCommand, Step } from "./step.js";

/**
 * Returns the steps of phase C, which install the new runtime next to the old
 * one.
 */
export function runtimeSteps(options: PlanOptions): Step[] {
  const { overrides, dryRun, settings, mode } = options;
  const { names } = upgrade;
  const { namespace } = settings;
  const controller = createCheck(
    "the controller is available",
    kubectlCommand(
      "wait",
      "--for=condition=Available",
      "deployment",
      names.controller,
      "--timeout=5s",
      "-n",
      names.systemNamespace,
    ),
  );
  return [
    step({
      id: "C0",
      title: "Record the resources of the old runtime",
      preconditions: ["the new runtime is not installed yet"],
      actions: [
        {
          kind: "builtin",
          name: "note-old",
          like: [listWorkloadsCommand(namespace)],
        },
      ],
      undo: "not needed, because this step changes nothing",
    }),
    step({
      id: "C1",
      title:
        "Connect the new database to the Cassandra ring of the old database",
      preconditions: ["step P9 found no errors"],
      actions: [
        {
          kind: "builtin",
          name: "set-seed",
          like: [
            oldDatabaseAddressCommand(namespace),
            `set cassandra.externalSeedHost in ${overrides} to the printed address`,
          ],
        },
      ],
      undo: "remove cassandra.externalSeedHost",
    }),
    step({
      id: "C2",
      title: "Install operators and custom resource definitions (CRDs)",
      actions: [toolAction(options, "init")],
      checks: [readinessCheck(options), controller],
      undo: "not needed: the old runtime is unchanged, and the new operators can remain",
    }),
    step({
      id: "C3",
      title: "Test the installation with a dry run",
      actions: [toolAction(options, "apply", `--dry-run=${dryRun}`)],
      undo: "not needed, because this step changes nothing",
    }),
    ...(mode === "demo"
      ? [
          installationStep(
            options,
            "C4",
            "Install the runtime",
            toolAction(options, "apply"),
          ),
        ]
      : installationSteps(options)),
  ];
}

/** Returns the command that prints the IP address of an old database node. */
export function oldDatabaseAddressCommand(namespace: string): StepCommand {
  const { oldCassandraPod } = upgrade.names;
  return kubectlCommand(
    "get",
    "pod",
    oldCassandraPod,
    "-o",
    "jsonpath={.status.podIP}",
    "-n",
    namespace,
  );
}

/**
 * Returns one installation step for each component. Each step waits until the
 * component is ready.
 */
function installationSteps(options: PlanOptions): Step[] {
  const { environments } = options.settings;
  const part = (id: string, title: string, ...scope: string[]): Step =>
    installationStep(
      options,
      id,
      title,
      toolAction(options, "apply", ...scope),
    );
  return [
    part("C4-datastore", "Install the database", "--datastore"),
    part(
      "C4-telemetry",
      "Install the logger and metrics components",
      "--telemetry",
    ),
    part(
      "C4-org",
      "Install the connect agent, MART and Watcher components",
      "--org",
    ),
    ...(options.allEnvs
      ? [part("C4-envs", "Install all environments", "--all-envs")]
      : environments.map((name) =>
          part(
            `C4-env-${name}`,
            `Install the environment ${name}`,
            "--env",
            name,
          ),
        )),
  ];
}

function installationStep(
  options: PlanOptions,
  id: string,
  title: string,
  action: Action,
): Step {
  return step({
    id,
    title,
    actions: [
      {
        kind: "builtin",
        name: "see-seed",
        like: [validateCommand(options.overrides, ["--phase", "install"])],
      },
      action,
    ],
    checks: [readinessCheck(options)],
    undo: "direct traffic to the old runtime, delete the environments, organization and telemetry of the new runtime, decommission the new database nodes, then delete the datastore; the vendor documents no supported rollback",
  });
}

function step(
  part: Pick<Step, "id" | "title" | "actions" | "undo"> & Partial<Step>,
): Step {
  return {
    phase: "runtime",
    preconditions: [],
    checks: [],
    isDestructive: false,
    isOptional: false,
    ...part,
  };
}
