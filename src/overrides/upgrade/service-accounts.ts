import { posix } from "node:path";
import { knowledge } from "../schema/property-index.js";
import { check, kubectl, manual, repeatable, unlessDone } from "./commands.js";
import type { PlanOptions } from "./plan-options.js";
import type { Action, Check, Step } from "./step.js";
import { around, type Word } from "./argument.js";

/** Binds a role of a project to an account. */
export function binding(project: string, mail: Word, role: string): Word[] {
  return [
    "gcloud",
    "projects",
    "add-iam-policy-binding",
    project,
    around("--member=serviceAccount:", mail),
    `--role=${role}`,
  ];
}

/** Check that a role is bound to an account. */
export function bound(project: string, mail: Word, role: string): Check {
  return check(
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
    { kind: "line", text: around("serviceAccount:", mail) },
  );
}

/** Creates the account that the file names for the watcher, and binds its role. */
export function watcher(
  options: PlanOptions,
): Pick<Step, "actions" | "checks"> {
  const { facts, home } = options;
  const { names, roles } = knowledge().table.upgrade;
  const mail =
    facts.watcherAccount ??
    `${names.watcherAccount}@${facts.project}.iam.gserviceaccount.com`;
  const key = keyOf(options, mail, home);
  const bind = repeatable(...binding(facts.project, mail, roles["watcher"]!));
  return {
    actions: [key.action, bind],
    checks: [key.check, bound(facts.project, mail, roles["watcher"]!)],
  };
}

/** An account can't be created twice: its key file shows that it exists. */
function keyOf(
  { facts }: PlanOptions,
  mail: string,
  home: string | undefined,
): { readonly action: Action; readonly check: Check } {
  if (facts.watcherSecret !== undefined)
    return {
      action: manual(
        `create the account ${mail} and a secret ${facts.watcherSecret} with its key, unless both exist`,
      ),
      check: check(
        "the watcher's secret exists",
        kubectl("get", "secret", facts.watcherSecret, "-n", facts.namespace),
      ),
    };
  const folder = home === undefined ? {} : { folder: home };
  const file = facts.watcherPath ?? "./service-accounts";
  const target =
    facts.watcherPath === undefined ? file : posix.dirname(facts.watcherPath);
  const exists = check("the watcher's key file exists", {
    argv: ["test", "-s", file],
    ...folder,
  });
  const [name = ""] = mail.split("@");
  const tool = "tools/create-service-account";
  return {
    action: unlessDone(
      { argv: [tool, name, relative(target)], ...folder },
      exists,
    ),
    check: exists,
  };
}

/** The tool's own examples begin with a dot, and a path must not look like an option. */
function relative(folder: string): string {
  return /^(\.{0,2}\/|\.$)/.test(folder) ? folder : `./${folder}`;
}
