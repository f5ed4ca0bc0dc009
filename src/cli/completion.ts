import { Argument, Command } from "commander";
import { bashCompletion } from "./bash-completion.ts";
import { type CommandNode, commandTree } from "./command-tree.ts";
import { fishCompletion } from "./fish-completion.ts";
import { print } from "./output.ts";
import { zshCompletion } from "./zsh-completion.ts";

const SCRIPTS = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion } satisfies Record<
  string,
  (nodes: readonly CommandNode[]) => string
>;
type Shell = keyof typeof SCRIPTS;

export function completionCommand(): Command {
  return new Command("completion")
    .description("print a script that completes commands: source <(millrace completion bash)")
    .addArgument(new Argument("<shell>", "the shell that reads it").choices(Object.keys(SCRIPTS)))
    .action((shell: Shell, _options: object, command: Command) => {
      print(SCRIPTS[shell](commandTree(command.parent ?? command)));
    });
}
