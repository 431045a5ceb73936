import { posix } from "node:path";
import { propertyIndex } from "../schema/property-index.js";
import {
  createCheck,
  kubectlCommand,
  manualAction,
  repeatableAction,
  skippableAction,
} from "./commands.js";
import type { PlanOptions } from "./plan-options.js";
import type { Action, Check, Step } from "./step.js";
import { addAffixes, type Argument } from "./argument.js";

/**
 * Returns the arguments of the gcloud command that grants a project role to a
 * service account.
 */
export function bindRoleArguments(
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
export function roleBindingCheck(
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
export function watcherAccountStep(
  options: PlanOptions,
): Pick<Step, "actions" | "checks"> {
  const { settings, home } = options;
  const { names, roles } = propertyIndex().table.upgrade;
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
