import { upgrade } from "#built/overrides.js";
import { visible } from "../../diagnostics/invisible.js";
import type { UpgradePlan } from "../upgrade/plan.js";
import type { Action, Check, StepCommand, Step } from "../upgrade/step.js";
import {
  commandLine,
  planVariables,
  variablesOf,
  shellLine,
  quoteArgument,
} from "../upgrade/argument.js";

/**
 * Formats a plan as a POSIX shell script. Values from the overrides file are
 * quoted, so that the shell does not expand them.
 */
export function planScript(plan: UpgradePlan): string {
  const steps = plan.steps.map(stepScript);
  return `${SCRIPT_PRELUDE}${variables(plan)}${steps.join("")}`;
}

/**
 * Returns script lines that exit before the first step if a required variable is
 * not set.
 */
function variables({ steps }: UpgradePlan): string {
  const commands = steps.flatMap(({ actions, checks }) => [
    ...actions.flatMap(commandsOf),
    ...checks.map(({ command }) => command),
  ]);
  const names = [...new Set(commands.flatMap(variablesOf))];
  return names
    .map((name) => `: "\${${name}:?must be the ${planVariables[name].text}}"\n`)
    .map((line, index) => (index === 0 ? `\n${line}` : line))
    .join("");
}

function commandsOf(action: Action): StepCommand[] {
  return action.kind === "command" ? [action.command] : [];
}

function stepScript(step: Step): string {
  const title = `${step.id} ${step.title}`;
  const lines = [
    "",
    `# ${visible(title)}`,
    ...step.preconditions.map((text) => `# requires: ${visible(text)}`),
    `# undo: ${visible(step.undo)}`,
    `echo ${quoteArgument(visible(title))}`,
  ];
  if (step.isDestructive) lines.push(...confirmation(step));
  for (const action of step.actions)
    lines.push(...actionScript(step.id, action));
  for (const [index, check] of step.checks.entries())
    lines.push(...checkScript(step.id, check, index));
  return `${lines.join("\n")}\n`;
}

/**
 * Returns script lines that show the preconditions, commands and undo
 * instructions of a destructive step, and then require a confirmation.
 */
function confirmation(step: Step): string[] {
  const shown = [
    ...step.preconditions.map((text) => `requires: ${text}`),
    ...step.actions.flatMap(commandsOf).map(shellLine),
    `undo: ${step.undo}`,
  ];
  return [
    `show ${shown.map((line) => quoteArgument(visible(line))).join(" ")}`,
    `confirm '${step.id} deletes resources. Continue?'`,
  ];
}

function actionScript(id: string, action: Action): string[] {
  if (action.kind === "manual")
    return [`confirm ${quoteArgument(visible(`${action.text}. Done?`))}`];
  if (action.kind === "builtin")
    return action.name === "note-old"
      ? recordOld(id, action.like)
      : byHand(action.like);
  const { command, done, isSkippable } = action;
  const line = `${shellLine(command)} </dev/null || stop ${quoteArgument(id)}`;
  if (done === undefined || isSkippable !== true) return [line];
  const name = functionName(id, "done");
  return [...checkFunction(name, done), `if ! ${name}; then`, line, "fi"];
}

/**
 * Returns script lines that show manual commands and wait until the user
 * confirms that the commands were run.
 */
function byHand(like: readonly (StepCommand | string)[]): string[] {
  const lines = like.map((line) =>
    typeof line === "string" ? line : shellLine(line),
  );
  return [
    `show ${lines.map((line) => quoteArgument(visible(line))).join(" ")}`,
    "confirm 'Have you run the commands above?'",
  ];
}

/**
 * Returns the script lines of upgrade step C0, which records the names of the
 * old runtime's resources. Step D3 later checks that these resources were
 * deleted.
 */
function recordOld(
  id: string,
  like: readonly (StepCommand | string)[],
): string[] {
  const { oldComponents } = upgrade;
  const commands = like.flatMap((line) =>
    typeof line === "string" ? [] : [`ask ${commandLine(line)}`],
  );
  return [
    ...commands.map((line) => `${line} || stop ${quoteArgument(id)}`),
    `record_old ${oldComponents.map(quoteArgument).join(" ")} || stop ${quoteArgument(`${id}: found no resources of the old runtime`)}`,
  ];
}

function checkScript(id: string, check: Check, index: number): string[] {
  const name = functionName(id, String(index + 1));
  return [
    ...checkFunction(name, check),
    `wait_for ${name} ${quoteArgument(visible(check.text))}`,
  ];
}

/**
 * Returns the name of the shell function of a step. Step ids contain
 * environment names, so characters that are not allowed in shell identifiers
 * are replaced.
 */
function functionName(id: string, suffix: string): string {
  return `check_${id.replace(/\W/g, "_")}_${suffix}`;
}

function checkFunction(name: string, { command, expect }: Check): string[] {
  const { folder } = command;
  const ask =
    folder === undefined
      ? `ask ${commandLine(command)}`
      : `ask_in ${quoteArgument(folder)} ${commandLine(command)}`;
  const met = condition(expect);
  return [
    `${name}() {`,
    ...(met === undefined
      ? [`  ${ask}`]
      : [`  ${ask} || return 1`, `  ${met}`]),
    "}",
  ];
}

/** Returns a shell condition that tests the output of a successful command. */
function condition(expect: Check["expect"]): string | undefined {
  switch (expect.kind) {
    case "success":
      return undefined;
    case "nothing":
      return "is_empty";
    case "contains":
      return `contains ${quoteArgument(expect.text)}`;
    case "line":
      return `has_line ${quoteArgument(expect.text)}`;
    case "nodes-ready":
      return "nodes_ready";
    case "pods-ready":
      return "pods_ready";
    case "images":
      return `images_have ${quoteArgument(expect.least)}`;
    case "ring":
      return `ring ${expect.least} ${quoteArgument(String(expect.most ?? ""))}`;
    case "old-gone":
      return "old_gone";
  }
}

/**
 * Shell functions that generated upgrade scripts use. A check stores the output
 * of its command in the variable `out` and tests it with shell builtins only. A
 * missing program such as grep therefore can't make a check succeed.
 */
export const SCRIPT_PRELUDE = `#!/bin/sh
# Generated by \`gen upgrade plan --format shell\`. Read it before running it.
# \`gen upgrade run\` runs the same steps, stores its state, and resumes after a failure.
set -euf

TRIES=\${UPGRADE_TRIES:-180}
INTERVAL=\${UPGRADE_INTERVAL:-10}
out=
old=
newline='
'

# Prints instructions, or details of a question.
show() {
  printf '  %s\\n' "$@"
}

# Requires confirmation; ends the script unless the input is y.
confirm() {
  printf '%s [y/N] ' "$1"
  read -r reply || exit 1
  [ "$reply" = y ] || exit 1
}

# Ends the script.
stop() {
  printf '%s stopped\\n' "$1" >&2
  exit 1
}

# Runs a command and stores its output.
ask() {
  out=
  out=$("$@" </dev/null)
}

# Runs a command in a folder and stores its output.
ask_in() {
  out=
  out=$(cd "$1" && shift && "$@" </dev/null)
}

# Tests that the stored output lists images, all of version $1 or later.
images_have() {
  [ -n "$out" ] || return 1
  for image in $out; do
    is_at_least "\${image##*:}" "$1" || return 1
  done
}

# Tests that version $1 is $2 or later; both have three numbers.
is_at_least() {
  have=$1.
  want=$2.
  for part in major minor patch; do
    number=\${have%%.*}
    if [ "$part" = patch ]; then number=\${number%%[!0-9]*}; fi
    case $number in '' | *[!0-9]*) return 1 ;; esac
    if [ "$number" -gt "\${want%%.*}" ]; then return 0; fi
    if [ "$number" -lt "\${want%%.*}" ]; then return 1; fi
    have=\${have#*.}
    want=\${want#*.}
  done
}

# Repeats a check until it passes; ends the script after the last try.
wait_for() {
  tries=1
  until "$1"; do
    [ "$tries" -lt "$TRIES" ] || {
      printf 'check failed: %s\\n%s\\n' "$2" "$out" >&2
      exit 1
    }
    tries=$((tries + 1))
    sleep "$INTERVAL"
  done
  printf 'ok: %s\\n' "$2"
}

# Succeeds if the output is empty.
is_empty() {
  [ -z "$out" ]
}

# Succeeds if the output contains a string.
contains() {
  case $out in *"$1"*) return 0 ;; esac
  return 1
}

# Succeeds if the output has a line.
has_line() {
  case "$newline$out$newline" in *"$newline$1$newline"*) return 0 ;; esac
  return 1
}

# Succeeds if at least one node is listed, and each is ready.
nodes_ready() {
  [ -n "$out" ] || return 1
  printf '%s\\n' "$out" | while read -r name status rest; do
    case $status in Ready | Ready,*) ;; *) exit 1 ;; esac
  done
}

# Succeeds if at least one pod is listed, and each is ready or completed.
pods_ready() {
  [ -n "$out" ] || return 1
  printf '%s\\n' "$out" | while read -r name ready status rest; do
    case $status in
      Completed | Succeeded) ;;
      Running) [ "\${ready%%/*}" = "\${ready#*/}" ] || exit 1 ;;
      *) exit 1 ;;
    esac
  done
}

# Succeeds if all nodes of the Cassandra ring are up and normal: at least $1, at most $2 in each data center.
ring() {
  printf '%s\\n' "$out" | {
    nodes=0
    centers=0
    while read -r state rest; do
      case $state in
        UN) nodes=$((nodes + 1)) ;;
        [UD?][NLJM?]) exit 1 ;;
        Datacenter:) centers=$((centers + 1)) ;;
      esac
    done
    [ "$centers" -gt 0 ] || centers=1
    [ "$nodes" -ge "$1" ] || exit 1
    [ -z "$2" ] || [ "$nodes" -le $(($2 * centers)) ]
  }
}

# Records the names of resources of the old runtime. The arguments are parts of these names.
record_old() {
  old=
  for name in $out; do
    for part in "$@"; do
      case $name in *"$part"*) old="$old$name$newline" && break ;; esac
    done
  done
  [ -n "$old" ]
}

# Succeeds if no recorded resource is listed.
old_gone() {
  [ -n "$old" ] || return 1
  for name in $old; do
    if has_line "$name"; then return 1; fi
  done
}
`;
