import { knowledge } from "../schema/load.js";
import { check, kubectl, manual, once, repeatable } from "./commands.js";
import type { PlanOptions } from "./options.js";
import type { Check, Step } from "./step.js";

const NOTHING = "nothing was changed";
const UNKNOWN_ACCOUNT = "$MART_ACCOUNT";

/** P: what can be done while the old runtime serves as ever. */
export function preparation(options: PlanOptions): Step[] {
  const { facts, mode, overrides, oldHome } = options;
  const { upgrade } = knowledge().table;
  const isProduction = mode === "prod";
  const step = (
    part: Pick<Step, "id" | "title" | "actions"> & Partial<Step>,
  ): Step => ({
    phase: "preparation",
    preconditions: [],
    checks: [],
    undo: NOTHING,
    isDestructive: false,
    isOptional: false,
    ...part,
  });
  const old = oldHome ?? "$APIGEECTL_HOME";
  const archive = `${old}/../apigeectl-v1.2-backup.tar.gz`;
  const hasArchive = check("the archive can be read", {
    argv: ["tar", "-tzf", archive],
  });
  return [
    step({
      id: "P0",
      title: "Look at the versions",
      preconditions: [
        `the runtime is ${options.from}; 1.0 and 1.1 go to ${upgrade.from} first`,
      ],
      actions: [repeatable("kubectl", "version", "--client")],
    }),
    step({
      id: "P1",
      title: "Back up the folder of the old control tool",
      isOptional: !isProduction,
      preconditions: ["the archive is kept: D3 needs the old control tool"],
      actions: [once({ argv: ["tar", "-czvf", archive, old] }, hasArchive)],
      checks: [hasArchive],
      undo: "delete the archive",
    }),
    step({
      id: "P2",
      title: "Back up the database",
      isOptional: !isProduction,
      actions: [
        manual(
          "make a backup of Cassandra, by its backup stanza or a snapshot, and restore it once elsewhere to see that it works",
        ),
      ],
      undo: "keep the backup: after D4 it is the only way back",
    }),
    step({
      id: "P3",
      title: "Upgrade the platform of the cluster",
      actions: [manual(platformText(options))],
      checks: [
        check("all nodes are ready", kubectl("get", "nodes", "--no-headers"), {
          kind: "lacks",
          pattern: "NotReady",
        }),
      ],
      undo: "as the platform's own documentation says",
    }),
    step({
      id: "P4",
      title: "Enable the Connect API",
      actions: [
        repeatable(
          "gcloud",
          "services",
          "enable",
          "apigeeconnect.googleapis.com",
          "--project",
          facts.project,
        ),
      ],
      checks: [
        check(
          "the API is listed",
          { argv: ["gcloud", "services", "list", "--project", facts.project] },
          { kind: "matches", pattern: "apigeeconnect" },
        ),
      ],
      undo: "leave it enabled",
    }),
    step({
      id: "P5",
      title: "Bind the role of the connect agent to MART's account",
      actions: [
        repeatable(
          ...binding(
            facts.project,
            facts.martAccount ?? UNKNOWN_ACCOUNT,
            upgrade.roles["mart"]!,
          ),
        ),
      ],
      checks: [
        bound(
          facts.project,
          facts.martAccount ?? UNKNOWN_ACCOUNT,
          upgrade.roles["mart"]!,
        ),
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
            `GET organizations/${facts.org}`,
            `PUT organizations/${facts.org}, with all its properties and ${upgrade.features.map((name) => `${name}=true`).join(", ")}`,
          ],
        },
      ],
      undo: "put the properties back that the first answer showed",
    }),
    step({
      id: "P7",
      title: "Create the watcher's account and bind its role",
      actions: watcherActions(options),
      checks: [
        bound(facts.project, watcherMail(options), upgrade.roles["watcher"]!),
      ],
      undo: "delete the account; the old runtime does not use it",
    }),
    step({
      id: "P8",
      title: "Create environment groups and attach environments",
      actions: [
        manual(
          `create the environment groups ${facts.groups.join(", ")} with their host names, and attach each of the environments ${facts.environments.join(", ")} to at least one; \`gen overrides rewrite\` has listed them`,
        ),
      ],
      undo: "delete the groups",
    }),
    step({
      id: "P9",
      title: `Check ${overrides}`,
      preconditions: [
        `control tool ${options.to} lies in a folder of its own`,
        "the file was rewritten by `gen overrides rewrite`",
      ],
      actions: [
        {
          kind: "builtin",
          name: "validate",
          like: [`gen overrides validate ${overrides} --mode ${mode}`],
        },
      ],
    }),
  ];
}

function platformText({ platform }: PlanOptions): string {
  const { platforms } = knowledge().table.upgrade;
  const own = platform === undefined ? undefined : platforms[platform];
  if (own !== undefined)
    return `upgrade the cluster to ${own.name} ${own.version}`;
  const all = Object.values(platforms).map(
    ({ name, version }) => `${name} ${version}`,
  );
  return `upgrade the cluster, depending on the platform: ${all.join(", ")}`;
}

function binding(project: string, mail: string, role: string): string[] {
  return [
    "gcloud",
    "projects",
    "add-iam-policy-binding",
    project,
    "--member",
    `serviceAccount:${mail}`,
    "--role",
    role,
  ];
}

function bound(project: string, mail: string, role: string): Check {
  return check(
    `${role} is bound`,
    {
      argv: [
        "gcloud",
        "projects",
        "get-iam-policy",
        project,
        "--flatten",
        "bindings[].members",
        "--filter",
        `bindings.role:${role}`,
        "--format",
        "value(bindings.members)",
      ],
    },
    { kind: "matches", pattern: mail.replace(/[.$]/g, "\\$&") },
  );
}

function watcherMail({ facts }: PlanOptions): string {
  const { watcherAccount } = knowledge().table.upgrade.names;
  return `${watcherAccount}@${facts.project}.iam.gserviceaccount.com`;
}

/** An account can't be created twice: its key file tells. */
function watcherActions(options: PlanOptions): Step["actions"] {
  const { facts, home } = options;
  const { names, roles } = knowledge().table.upgrade;
  const file = facts.watcherPath ?? "./service-accounts";
  const folder = home === undefined ? {} : { folder: home };
  const create = {
    argv: [
      "tools/create-service-account",
      names.watcherAccount,
      "./service-accounts",
    ],
    ...folder,
  };
  return [
    once(
      create,
      check("the key file is there", { argv: ["test", "-s", file], ...folder }),
    ),
    repeatable(
      ...binding(facts.project, watcherMail(options), roles["watcher"]!),
    ),
  ];
}
