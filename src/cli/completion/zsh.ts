import { shellQuote } from "../../platform/shell-quote.js";
import type {
  CompletionCommand,
  CompletionOption,
} from "./completion-model.js";
import { commandPattern, PROGRAMS } from "./quote.js";

/** Returns the completion script for zsh. */
export function zshScript(commands: readonly CompletionCommand[]): string {
  const cases = commands.flatMap(({ words, options }) =>
    options.flatMap((option) => valueCase(words, option)),
  );
  return `#compdef ${PROGRAMS.join(" ")}
# Completion of gen for zsh. Load it with: source <(gen completion zsh)
_gen_project() {
  local -a found
  found=(\${(f)"$(command \${words[1]} completion $1 2>/dev/null </dev/null)"})
  compadd -a found
}
_gen() {
  local command="" current="\${words[CURRENT]}" previous="\${words[CURRENT-1]}" operands="" apis=""
  local -a options following
  integer index
  for ((index = 2; index < CURRENT; index++)); do
    case "$command\${command:+ }\${words[index]}" in
      ${commandPattern(commands)})
        command="$command\${command:+ }\${words[index]}" ;;
      *) break ;;
    esac
  done
  case "$command:$previous" in
${cases.join("\n")}
  esac
  case "$command" in
${commands.map(commandCase).join("\n")}
  esac
  if [[ $current == -* ]]; then _describe -o option options
  else
    if (( \${#following} )); then _describe command following; fi
    if [[ -n $apis ]]; then _gen_project apis; fi
    if [[ -n $operands ]]; then _files; fi
  fi
}
if [[ "\${funcstack[1]-}" == _gen ]]; then _gen "$@"; else compdef _gen ${PROGRAMS.join(" ")}; fi
`;
}

function valueCase(
  words: string,
  { flag, values, isList }: CompletionOption,
): string[] {
  if (values === undefined) return [];
  const action =
    values === "file"
      ? "_files"
      : values === "folder"
        ? "_files -/"
        : values === "text"
          ? ":"
          : typeof values === "string"
            ? `_gen_project ${values}`
            : `${isList ? "_values -s , value" : "compadd --"} ${values.map(shellQuote).join(" ")}`;
  return [`    ${shellQuote(`${words}:${flag}`)}) ${action}; return ;;`];
}

function commandCase({
  words,
  options,
  next,
  hasOperands,
  hasApis,
}: CompletionCommand): string {
  const flags = options.map(({ flag, description }) =>
    entry(flag, description),
  );
  const following = [...next].map(([word, summary]) => entry(word, summary));
  return `    ${shellQuote(words)})
      options=(${flags.join(" ")})
      following=(${following.join(" ")})
      operands=${hasOperands ? "1" : '""'}
      apis=${hasApis ? "1" : '""'} ;;`;
}

/**
 * Returns an entry for zsh's `_describe`, which treats the first colon as a
 * separator.
 */
function entry(word: string, description: string): string {
  return shellQuote(`${word.replaceAll(":", "\\:")}:${description}`);
}
