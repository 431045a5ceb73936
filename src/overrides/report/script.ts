import { visible } from "../../cli/reporters/output.js";
import type { Plan } from "../upgrade/plan.js";
import type { Action, Check, Command, Step } from "../upgrade/step.js";

/** A command as it is typed into a shell. */
export function commandLine({ argv }: Command): string {
  return argv.map(word).join(" ");
}

/** Variables that the plan leaves open are the only ones that the shell may fill in. */
const VARIABLE = /\$(APIGEECTL_HOME|APIGEECTL_OLD_HOME|MART_ACCOUNT)\b/;

function word(text: string): string {
  if (VARIABLE.test(text)) return `"${text.replace(/["\\`]/g, "\\$&")}"`;
  return /^[\w@%+=:,./-]+$/.test(text)
    ? text
    : `'${text.replace(/'/g, "'\\''")}'`;
}

const HEAD = `#!/bin/sh
# Written by \`gen upgrade plan --format shell\`: read it before you run it.
# \`gen upgrade run\` does the same, keeps a state, and can go on where it stopped.
set -eu

# Asks before it goes on.
confirm() {
  printf '%s [y/N] ' "$1"
  read -r answer
  [ "$answer" = y ] || exit 1
}

# Asks every 10 seconds whether something is so, for half an hour.
wait_for() {
  tries=0
  until eval "$1" >/dev/null 2>&1; do
    tries=$((tries + 1))
    [ "$tries" -lt 180 ] || { echo "never so: $1" >&2; exit 1; }
    sleep 10
  done
}
`;

/** A plan as a script for sh. */
export function planScript(plan: Plan): string {
  return `${HEAD}${plan.steps.map(stepScript).join("")}`;
}

function stepScript(step: Step): string {
  const lines = [
    "",
    `# ${visible(`${step.id} ${step.title}`)}`,
    ...step.preconditions.map((own) => `# first: ${visible(own)}`),
    `# undo: ${visible(step.undo)}`,
  ];
  if (step.isDestructive)
    lines.push(`confirm ${word(`${step.id} removes things: go on?`)}`);
  for (const action of step.actions) lines.push(...actionScript(action));
  for (const check of step.checks)
    lines.push(`wait_for ${word(condition(check))}`);
  return `${lines.join("\n")}\n`;
}

function actionScript(action: Action): string[] {
  if (action.kind === "manual")
    return [`confirm ${word(`${action.text}. Done?`)}`];
  if (action.kind === "builtin")
    return [
      ...action.like.map((line) => `#   ${visible(line)}`),
      "confirm 'The lines above were done?'",
    ];
  const { command } = action;
  const line = commandLine(command);
  return command.folder === undefined
    ? [line]
    : [`(cd ${word(command.folder)} && ${line})`];
}

/** What a check asks, as a condition of a shell. */
function condition({ command, expect }: Check): string {
  const line =
    command.folder === undefined
      ? commandLine(command)
      : `(cd ${word(command.folder)} && ${commandLine(command)})`;
  switch (expect.kind) {
    case "success":
      return line;
    case "nothing":
      return `[ -z "$(${line})" ]`;
    case "matches":
      return `${line} | grep -qE ${word(expect.pattern)}`;
    case "lacks":
      return `! ${line} | grep -qE ${word(expect.pattern)}`;
    case "ring":
      return `! ${line} | grep -E '^[UD?][NLJM?] ' | grep -qv '^UN'`;
    case "old-gone":
      return `! ${line} | grep -qE '(mart|connect|synchronizer|runtime|udca)-[0-9a-z]+$' || true`;
  }
}
