/**
 * Functions that the steps of the script call. Each check runs its command with
 * `ask`, which stores the output in `out` and fails if the command fails.
 * Conditions on `out` use only the shell, so that a missing tool can't make a
 * check pass.
 */
export const SCRIPT_PRELUDE = `#!/bin/sh
# Written by \`gen upgrade plan --format shell\`. Read it before you run it.
# \`gen upgrade run\` runs the same steps, keeps a state file, and resumes after a failure.
set -euf

TRIES=\${UPGRADE_TRIES:-180}
INTERVAL=\${UPGRADE_INTERVAL:-10}
out=
old=
newline='
'

# Prints lines: what is to be done, or what a question is about.
show() {
  printf '  %s\\n' "$@"
}

# Asks before the script goes on; it ends unless the answer is y.
confirm() {
  printf '%s [y/N] ' "$1"
  read -r answer || exit 1
  [ "$answer" = y ] || exit 1
}

# Ends the script.
stop() {
  printf '%s stopped\\n' "$1" >&2
  exit 1
}

# Runs a command and keeps its output.
ask() {
  out=
  out=$("$@" </dev/null)
}

# The same in a folder.
ask_in() {
  out=
  out=$(cd "$1" && shift && "$@" </dev/null)
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

# The output is empty.
is_empty() {
  [ -z "$out" ]
}

# The output contains a text.
contains() {
  case $out in *"$1"*) return 0 ;; esac
  return 1
}

# The output has a line.
has_line() {
  case "$newline$out$newline" in *"$newline$1$newline"*) return 0 ;; esac
  return 1
}

# At least one node is listed, and each is ready.
nodes_ready() {
  [ -n "$out" ] || return 1
  printf '%s\\n' "$out" | while read -r name status rest; do
    case $status in Ready | Ready,*) ;; *) exit 1 ;; esac
  done
}

# At least one pod is listed, and each is ready or has completed.
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

# Nodes of the ring: at least $1, at most $2 in each data center, all up and normal.
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

# Records the resources of the old runtime, by parts of their names.
record_old() {
  old=
  for name in $out; do
    for part in "$@"; do
      case $name in *"$part"*) old="$old$name$newline" && break ;; esac
    done
  done
  [ -n "$old" ]
}

# No recorded resource is listed.
old_gone() {
  [ -n "$old" ] || return 1
  for name in $old; do
    if has_line "$name"; then return 1; fi
  done
}
`;
