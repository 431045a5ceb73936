import { upgrade } from "#built/overrides.js";
import { posix } from "node:path";
import { addAffixes, type Argument, openArgument } from "./argument.js";
import {
  checkedAction,
  createCheck,
  kubectlCommand,
  manualAction,
  repeatableAction,
  skippableAction,
  validateCommand,
} from "./commands.js";
import type { PlanOptions } from "./plan-options.js";
import type { Action, Check, Step } from "./step.js";

const NOTHING_CHANGED = "not needed, because this step changes nothing";

/**
 * Returns the steps of phase P (preparation), which do not affect the old
 * runtime.
 */
export function preparationSteps(options: PlanOptions): Step[] {
  const { settings, mode, overrides, oldHome } = options;
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
  const old: Argument = oldHome ?? openArgument("APIGEECTL_OLD_HOME");
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
      title: "Back up the folder of the old apigeectl (recommended)",
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
      title: "Back up the database (recommended)",
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
  const { platforms } = upgrade;
  const requirement = platform === undefined ? undefined : platforms[platform];
  if (requirement !== undefined)
    return `upgrade the cluster to ${requirement.name} ${requirement.version}`;
  const requirements = Object.values(platforms).map(
    ({ name, version }) => `${name} ${version}`,
  );
  return `upgrade the cluster to the version required for its platform: ${requirements.join(", ")}`;
}

/**
 * Returns the arguments of the gcloud command that grants a project role to a
 * service account.
 */
function bindRoleArguments(
  project: string,
  mail: Argument,
  role: string,
): Argument[] {
  return [
    "gcloud",
    "projects",
    "add-iam-policy-binding",
    project,
    addAffixes("--member=serviceAccount:", mail),
    `--role=${role}`,
  ];
}

/** Returns the check that a service account has a given role. */
function roleBindingCheck(
  project: string,
  mail: Argument,
  role: string,
): Check {
  return createCheck(
    `${role} is bound`,
    {
      argv: [
        "gcloud",
        "projects",
        "get-iam-policy",
        project,
        "--flatten=bindings[].members",
        `--filter=bindings.role:${role}`,
        "--format=value(bindings.members)",
      ],
    },
    { kind: "line", text: addAffixes("serviceAccount:", mail) },
  );
}

/**
 * Returns the actions that create the service account for the Watcher component
 * and grant its role.
 */
function watcherAccountStep(
  options: PlanOptions,
): Pick<Step, "actions" | "checks"> {
  const { settings, home } = options;
  const { names, roles } = upgrade;
  const mail =
    settings.watcherAccount ??
    `${names.watcherAccount}@${settings.project}.iam.gserviceaccount.com`;
  const key = accountKeyStep(options, mail, home);
  const bind = repeatableAction(
    ...bindRoleArguments(settings.project, mail, roles["watcher"]!),
  );
  return {
    actions: [key.action, bind],
    checks: [
      key.check,
      roleBindingCheck(settings.project, mail, roles["watcher"]!),
    ],
  };
}

/**
 * Returns the action that creates a service account and its key, with a check.
 * An account can't be created twice, so the check tests for its key file or
 * secret.
 */
function accountKeyStep(
  { settings }: PlanOptions,
  mail: string,
  home: string | undefined,
): { readonly action: Action; readonly check: Check } {
  if (settings.watcherSecret !== undefined)
    return {
      action: manualAction(
        `create the account ${mail} and a secret ${settings.watcherSecret} with its key, unless both exist`,
      ),
      check: createCheck(
        "the secret of the Watcher service account exists",
        kubectlCommand(
          "get",
          "secret",
          settings.watcherSecret,
          "-n",
          settings.namespace,
        ),
      ),
    };
  const folder = home === undefined ? {} : { folder: home };
  const file = settings.watcherPath ?? "./service-accounts";
  const target =
    settings.watcherPath === undefined
      ? file
      : posix.dirname(settings.watcherPath);
  const exists = createCheck(
    "the key file of the Watcher service account exists",
    {
      argv: ["test", "-s", file],
      ...folder,
    },
  );
  const [name = ""] = mail.split("@");
  const tool = "tools/create-service-account";
  return {
    action: skippableAction(
      { argv: [tool, name, explicitRelativePath(target)], ...folder },
      exists,
    ),
    check: exists,
  };
}

/**
 * Adds `./` to a relative path, so that a leading `-` is not interpreted as an
 * option.
 */
function explicitRelativePath(folder: string): string {
  return /^(\.{0,2}\/|\.$)/.test(folder) ? folder : `./${folder}`;
}
