import { knowledge } from "../schema/property-index.js";
import {
  apply,
  check,
  kubectl,
  namesOfWorkloads,
  ready,
  validation,
} from "./commands.js";
import type { PlanOptions } from "./plan-options.js";
import type { Action, Command, Step } from "./step.js";

/** C: the new runtime beside the old one. */
export function runtime(options: PlanOptions): Step[] {
  const { overrides, dryRun, facts, mode } = options;
  const { names } = knowledge().table.upgrade;
  const { namespace } = facts;
  const controller = check(
    "the controller is available",
    kubectl(
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
      title: "Note the resources of the old runtime",
      preconditions: ["the new runtime is not installed yet"],
      actions: [
        {
          kind: "builtin",
          name: "note-old",
          like: [namesOfWorkloads(namespace)],
        },
      ],
      undo: "nothing was changed",
    }),
    step({
      id: "C1",
      title: "Let the new database join the ring of the old one",
      preconditions: ["P9 found no errors"],
      actions: [
        {
          kind: "builtin",
          name: "set-seed",
          like: [
            oldAddress(namespace),
            `set cassandra.externalSeedHost in ${overrides} to that address`,
          ],
        },
      ],
      undo: "remove cassandra.externalSeedHost",
    }),
    step({
      id: "C2",
      title: "Install operators and definitions",
      actions: [apply(options, "init")],
      checks: [ready(options), controller],
      undo: "nothing of 1.2 has changed; the new operators can stay",
    }),
    step({
      id: "C3",
      title: "Try the installation without doing it",
      actions: [apply(options, "apply", `--dry-run=${dryRun}`)],
      undo: "nothing was changed",
    }),
    ...(mode === "demo"
      ? [
          installation(
            options,
            "C4",
            "Install the runtime",
            apply(options, "apply"),
          ),
        ]
      : inParts(options)),
  ];
}

/** Prints the address of a node of the old database. */
export function oldAddress(namespace: string): Command {
  const { oldCassandraPod } = knowledge().table.upgrade.names;
  return kubectl(
    "get",
    "pod",
    oldCassandraPod,
    "-o",
    "jsonpath={.status.podIP}",
    "-n",
    namespace,
  );
}

/** Part by part, each ready before the next. */
function inParts(options: PlanOptions): Step[] {
  const { environments } = options.facts;
  const part = (id: string, title: string, ...scope: string[]): Step =>
    installation(options, id, title, apply(options, "apply", ...scope));
  return [
    part("C4-datastore", "Install the database", "--datastore"),
    part("C4-telemetry", "Install logger and metrics", "--telemetry"),
    part("C4-org", "Install connect agent, MART and watcher", "--org"),
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

function installation(
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
        like: [validation(options.overrides, ["--phase", "install"])],
      },
      action,
    ],
    checks: [ready(options)],
    undo: "point traffic at the old runtime, delete the environments, org and telemetry of the new one, decommission the new database nodes, then delete the datastore; no supported way back is documented",
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
