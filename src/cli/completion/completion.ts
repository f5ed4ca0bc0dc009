import { Argument, Command } from "commander";
import { print } from "../output.ts";
import { bashCompletion } from "./bash-completion.ts";
import { type CommandNode, commandTree } from "./command-tree.ts";
import { fishCompletion } from "./fish-completion.ts";
import { zshCompletion } from "./zsh-completion.ts";

const SCRIPTS = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion } satisfies Record<
  string,
  (nodes: readonly CommandNode[]) => string
>;
type Shell = keyof typeof SCRIPTS;

export function completionCommand(): Command {
  return new Command("completion")
    .description("print a shell completion script, for example: source <(millrace completion bash)")
    .addArgument(new Argument("<shell>", "shell that reads the script").choices(Object.keys(SCRIPTS)))
    .action((shell: Shell, _options: object, command: Command) => {
      print(SCRIPTS[shell](commandTree(command.parent ?? command)));
    });
}
