import { shellQuote } from "../../platform/shell-quote.js";
import type {
  CompletionCommand,
  CompletionOption,
} from "./completion-model.js";
import { commandPattern, PROGRAMS } from "./quote.js";

/** Returns the completion script for bash 3.2 and later. */
export function bashScript(commands: readonly CompletionCommand[]): string {
  const cases = commands.flatMap(({ words, options }) =>
    options.flatMap((option) => valueCase(words, option)),
  );
  return `# Completion of gen for bash. Load it with: source <(gen completion bash)
_gen_replies() {
  local reply
  while IFS= read -r reply; do COMPREPLY+=("$reply"); done
}
_gen_values() {
  local prefix=""
  if [[ \${2-} == list && $current == *,* ]]; then prefix="\${current%,*},"; fi
  _gen_replies < <(compgen -P "$prefix" -W "$1" -- "\${current#"$prefix"}")
}
_gen_paths() {
  compopt -o filenames 2>/dev/null || true
  _gen_replies < <(compgen "$1" -- "$current")
}
_gen_project() {
  local typed="\${COMP_LINE-}" word
  typed="\${typed:0:\${COMP_POINT:-\${#typed}}}"
  typed="\${typed##*[[:space:]]}"
  # Readline splits words at colons and replaces only the last part.
  if [[ $current == : ]]; then current=""; fi
  while IFS= read -r word; do
    if [[ $word == "$typed"* ]]; then COMPREPLY+=("\${word#"\${typed%"$current"}"}"); fi
  done < <(command "\${COMP_WORDS[0]}" completion "$1" 2>/dev/null </dev/null)
}
_gen() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}"
  local command="" index options="" words="" operands="" apis=""
  COMPREPLY=()
  for ((index = 1; index < COMP_CWORD; index++)); do
    case "$command\${command:+ }\${COMP_WORDS[index]}" in
      ${commandPattern(commands)})
        command="$command\${command:+ }\${COMP_WORDS[index]}" ;;
      *) break ;;
    esac
  done
  case "$command:$previous" in
${cases.join("\n")}
  esac
  case "$command" in
${commands.map(commandCase).join("\n")}
  esac
  if [[ $current == -* ]]; then _gen_values "$options"
  else
    _gen_values "$words"
    if [[ -n $apis ]]; then _gen_project apis; fi
    if [[ \${#COMPREPLY[@]} -eq 0 && -n $operands ]]; then _gen_paths -f; fi
  fi
}
complete -F _gen ${PROGRAMS.join(" ")}
`;
}

function valueCase(
  words: string,
  { flag, values, isList }: CompletionOption,
): string[] {
  if (values === undefined) return [];
  const action =
    values === "file"
      ? "_gen_paths -f"
      : values === "folder"
        ? "_gen_paths -d"
        : values === "text"
          ? ":"
          : typeof values === "string"
            ? `_gen_project ${values}`
            : `_gen_values ${shellQuote(values.join(" "))}${isList ? " list" : ""}`;
  return [`    ${shellQuote(`${words}:${flag}`)}) ${action}; return ;;`];
}

function commandCase({
  words,
  options,
  next,
  hasOperands,
  hasApis,
}: CompletionCommand): string {
  const flags = options.map(({ flag }) => flag).join(" ");
  return `    ${shellQuote(words)}) options=${shellQuote(flags)} words=${shellQuote([...next.keys()].join(" "))} operands=${hasOperands ? "1" : '""'} apis=${hasApis ? "1" : '""'} ;;`;
}
