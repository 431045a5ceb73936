import { suggestion } from "../../diagnostics/closest.js";
import { UsageError, type Command } from "../command.js";

/**
 * Scripts that pass the words of the command line to `gen complete` and its
 * output to the shell.
 */
const SCRIPTS: Readonly<Record<string, string>> = {
  bash: `# Completion of gen for bash. Load it with: source <(gen completion bash)
_gen() {
  local value description reply current="\${COMP_WORDS[COMP_CWORD]}" typed="\${COMP_LINE:0:COMP_POINT}"
  typed="\${typed##*[[:space:]]}"
  # Readline splits words at colons and replaces only the last part.
  if [[ $current == : ]]; then current=""; fi
  COMPREPLY=()
  while IFS=$'\\t' read -r value description; do
    if [[ $value != :* ]]; then COMPREPLY+=("\${value#"\${typed%"$current"}"}")
    elif [[ \${#COMPREPLY[@]} -eq 0 ]]; then
      compopt -o filenames 2>/dev/null || true
      while IFS= read -r reply; do COMPREPLY+=("$reply"); done < <(compgen -A "\${value#:}" -- "$current")
    fi
  done < <(command "\${COMP_WORDS[0]}" complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null </dev/null)
}
complete -F _gen gen discovery-codegen
`,
  zsh: `#compdef gen discovery-codegen
# Completion of gen for zsh. Load it with: source <(gen completion zsh)
_gen() {
  local line tab=$'\\t'
  local -a found
  for line in "\${(@f)$(command $words[1] complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null </dev/null)}"; do
    case $line in
      :file) _files ;;
      :directory) _files -/ ;;
      ?*) line=\${line//:/\\\\:}; found+=(\${line/$tab/:}) ;;
    esac
  done
  if (( \${#found} )); then _describe value found; fi
}
if [[ "\${funcstack[1]-}" == _gen ]]; then _gen "$@"; else compdef _gen gen discovery-codegen; fi
`,
  fish: `# Completion of gen for fish. Load it with: gen completion fish | source
function __gen_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    for line in (command $words[1] complete -- $words[2..-1] "$current" 2>/dev/null </dev/null)
        switch $line
            case :file
                __fish_complete_path "$current"
            case :directory
                __fish_complete_directories "$current"
            case '*'
                echo $line
        end
    end
end
complete -c gen -f -a '(__gen_complete)'
complete -c discovery-codegen -f -a '(__gen_complete)'
`,
};

/** Command that prints a completion script. */
export const completion: Command = {
  options: [],
  operands: { name: "shell", description: "bash, zsh or fish" },
  help: `
Add the line for your shell to the shell's startup file:
  bash  source <(gen completion bash)      in ~/.bashrc
  zsh   source <(gen completion zsh)       in ~/.zshrc, after compinit
  fish  gen completion fish | source       in ~/.config/fish/config.fish`,
  run: ({ shell }, { output }) => {
    const names = Object.keys(SCRIPTS);
    const name = String(shell);
    if (!names.includes(name))
      throw new UsageError(
        `the shell must be one of ${names.join(", ")}, not '${name}'${suggestion(name, names)}`,
      );
    output.out(SCRIPTS[name]!);
    return Promise.resolve(0);
  },
};
