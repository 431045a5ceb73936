import {
  UsageError,
  type Command,
  type CommandRow,
  type Context,
} from "../command.js";
import { suggestion } from "../../diagnostics/closest.js";
import {
  completionModel,
  type CompletionCommand,
} from "../completion/completion-model.js";

/**
 * Kinds of completion words that depend on the project: API names and method
 * ids. The completion scripts pass the kind as an argument.
 */
const PROJECT_WORDS = ["apis", "methods"] as const;

type Script = (commands: readonly CompletionCommand[]) => string;

const SHELLS: Readonly<Record<string, () => Promise<Script>>> = {
  bash: async () => (await import("../completion/bash.js")).bashScript,
  zsh: async () => (await import("../completion/zsh.js")).zshScript,
  fish: async () => (await import("../completion/fish.js")).fishScript,
};

const HELP = `
Add the line for your shell to the shell's startup file:
  bash  source <(gen completion bash)      in ~/.bashrc
  zsh   source <(gen completion zsh)       in ~/.zshrc, after compinit
  fish  gen completion fish | source       in ~/.config/fish/config.fish`;

/**
 * Returns the command that prints a completion script.
 * @param commands commands that the script completes
 */
export function completionOf(commands: readonly CommandRow[]): Command {
  return {
    options: [],
    operands: { name: "shell", description: "bash, zsh or fish" },
    help: HELP,
    run: ({ shell }, context) => run(String(shell), commands, context),
  };
}

async function run(
  shell: string,
  commands: readonly CommandRow[],
  { cwd, output }: Context,
): Promise<number> {
  const kind = PROJECT_WORDS.find((word) => word === shell);
  if (kind !== undefined) {
    const { projectWords } = await import("../completion/project-words.js");
    const words = await projectWords(kind, cwd);
    output.out(words.map((word) => `${word}\n`).join(""));
    return 0;
  }
  const names = Object.keys(SHELLS);
  if (!Object.hasOwn(SHELLS, shell))
    throw new UsageError(
      `the shell must be one of ${names.join(", ")}, not '${shell}'${suggestion(shell, names)}`,
    );
  const script = await SHELLS[shell]!();
  output.out(script(await completionModel(commands)));
  return 0;
}
