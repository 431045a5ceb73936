import { propertyIndex } from "../schema/property-index.js";
import {
  createCheck,
  kubectlCommand,
  manualAction,
  checkedAction,
  repeatableAction,
  validateCommand,
} from "./commands.js";
import type { PlanOptions } from "./plan-options.js";
import type { Step } from "./step.js";
import {
  bindRoleArguments,
  roleBindingCheck,
  watcherAccountStep,
} from "./service-accounts.js";
import { addAffixes, openArgument, type Argument } from "./argument.js";

const NOTHING_CHANGED = "not needed, because this step changes nothing";

/**
 * Returns the steps of phase P (preparation), which do not affect the old
 * runtime.
 */
export function preparationSteps(options: PlanOptions): Step[] {
  const { settings, mode, overrides, oldHome } = options;
  const { upgrade } = propertyIndex().table;
  const isProduction = mode === "prod";
  const step = (
    part: Pick<Step, "id" | "title" | "actions"> & Partial<Step>,
  ): Step => ({
    phase: "preparation",
    preconditions: [],
    checks: [],
    undo: NOTHING_CHANGED,
    isDestructive: false,
    isOptional: false,
    ...part,
  });
  const old: Argument = oldHome ?? openArgument("APIGEECTL_HOME");
  const archive = addAffixes("", old, "/../apigeectl-v1.2-backup.tar.gz");
  const mart = settings.martAccount ?? openArgument("MART_ACCOUNT");
  const hasArchive = createCheck("the archive can be read", {
    argv: ["tar", "-tzf", archive],
  });
  return [
    step({
      id: "P0",
      title: "Check the versions",
      preconditions: [
        `the runtime version is ${options.from}; versions 1.0 and 1.1 must be upgraded to ${upgrade.from} first`,
      ],
      actions: [repeatableAction("kubectl", "version", "--client")],
    }),
    step({
      id: "P1",
      title: "Back up the folder of the old apigeectl",
      isOptional: !isProduction,
      preconditions: [
        "the archive is kept until step D3 is done, because that step needs the old apigeectl",
      ],
      actions: [
        checkedAction({ argv: ["tar", "-czvf", archive, old] }, hasArchive),
      ],
      checks: [hasArchive],
      undo: "delete the archive",
    }),
    step({
      id: "P2",
      title: "Back up the database",
      isOptional: !isProduction,
      actions: [
        manualAction(
          "back up Cassandra with its backup settings or a snapshot, and test that the backup can be restored elsewhere",
        ),
      ],
      undo: "keep the backup, because it is the only way to undo step D4",
    }),
    step({
      id: "P3",
      title: "Upgrade the platform of the cluster",
      actions: [manualAction(platformText(options))],
      checks: [
        createCheck(
          "all nodes are ready",
          kubectlCommand("get", "nodes", "--no-headers"),
          {
            kind: "nodes-ready",
          },
        ),
      ],
      undo: "see the documentation of the platform",
    }),
    step({
      id: "P4",
      title: "Enable the Connect API",
      actions: [
        repeatableAction(
          "gcloud",
          "services",
          "enable",
          "apigeeconnect.googleapis.com",
          `--project=${settings.project}`,
        ),
      ],
      checks: [
        createCheck(
          "the API is enabled",
          {
            argv: [
              "gcloud",
              "services",
              "list",
              `--project=${settings.project}`,
            ],
          },
          { kind: "contains", text: "apigeeconnect.googleapis.com" },
        ),
      ],
      undo: "leave the API enabled",
    }),
    step({
      id: "P5",
      title: "Bind the role of the connect agent to the MART service account",
      actions: [
        repeatableAction(
          ...bindRoleArguments(settings.project, mart, upgrade.roles["mart"]!),
        ),
      ],
      checks: [
        roleBindingCheck(settings.project, mart, upgrade.roles["mart"]!),
      ],
      undo: "leave the role bound",
    }),
    step({
      id: "P6",
      title: "Set the feature properties of the organization",
      actions: [
        {
          kind: "builtin",
          name: "org-properties",
          like: [
            `GET organizations/${settings.org}`,
            `PUT organizations/${settings.org}, with all its properties and ${upgrade.features.map((name) => `${name}=true`).join(", ")}`,
          ],
        },
      ],
      undo: "restore the properties from the response to the GET request",
    }),
    step({
      id: "P7",
      title: "Create the Watcher service account and bind its role",
      ...watcherAccountStep(options),
      undo: "delete the account; the old runtime does not use it",
    }),
    step({
      id: "P8",
      title: "Create environment groups and attach environments",
      actions: [
        manualAction(
          `create the environment groups ${settings.groups.join(", ")} with their host names, and attach each environment (${settings.environments.join(", ")}) to at least one group; \`gen overrides rewrite\` lists the host names and environments of each group`,
        ),
      ],
      undo: "delete the groups",
    }),
    step({
      id: "P9",
      title: `Check ${overrides}`,
      preconditions: [
        `apigeectl ${options.to} is in a different folder than the old apigeectl`,
        "the file was rewritten by `gen overrides rewrite`",
      ],
      actions: [
        {
          kind: "builtin",
          name: "validate",
          like: [
            validateCommand(
              overrides,
              ["--mode", mode, "--check-paths"],
              options.home,
            ),
          ],
        },
      ],
    }),
  ];
}

function platformText({ platform }: PlanOptions): string {
  const { platforms } = propertyIndex().table.upgrade;
  const requirement = platform === undefined ? undefined : platforms[platform];
  if (requirement !== undefined)
    return `upgrade the cluster to ${requirement.name} ${requirement.version}`;
  const requirements = Object.values(platforms).map(
    ({ name, version }) => `${name} ${version}`,
  );
  return `upgrade the cluster to the version required for its platform: ${requirements.join(", ")}`;
}
