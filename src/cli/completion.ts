import { Argument, Command, type Help } from "commander";
import { print } from "./output.ts";

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

/** The completion script of bash, from 3.2 on. Where nothing of ours fits, bash completes files. */
function bashCompletion(nodes: readonly CommandNode[]): string {
  return `# bash completion for millrace: source <(millrace completion bash)
_millrace() {
  local current="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" at="" words="" index
  # bash splits --role=admin into three words.
  if [[ "$current" == "=" ]]; then current=""
  elif [[ "$before" == "=" && COMP_CWORD -gt 1 ]]; then before="\${COMP_WORDS[COMP_CWORD-2]}"
  fi
  for ((index = 1; index < COMP_CWORD; index++)); do
    case "$at \${COMP_WORDS[index]}" in
      ${walkedPaths(nodes).map(quoted).join("|")}) at="$at \${COMP_WORDS[index]}" ;;
    esac
  done
  case "$at" in
${nodes.map(bashBranch).join("\n")}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o bashdefault -o default -F _millrace millrace`;
}

function bashBranch(node: CommandNode): string {
  const path = node.path === "" ? "" : ` ${node.path}`;
  const words = wordsAfter(node).map(({ word }) => word);
  const free = node.options.filter(({ takesValue, choices }) => takesValue && choices.length === 0);
  const values = [
    ...node.options.filter(({ choices }) => choices.length > 0).map(bashValues),
    ...(free.length > 0 ? [`        ${free.flatMap(({ names }) => names).join("|")}) ;;`] : []),
  ];
  return `    ${quoted(path)})
      case "$before" in
${[...values, `        *) words=${quoted(words.join(" "))} ;;`].join("\n")}
      esac ;;`;
}

function bashValues({ names, choices }: OptionWords): string {
  return `        ${names.join("|")}) words=${quoted(choices.join(" "))} ;;`;
}

/** The completion script of zsh: to be sourced after compinit, or kept as a file `_millrace` on the fpath. */
function zshCompletion(nodes: readonly CommandNode[]): string {
  return `#compdef millrace
# zsh completion for millrace: source <(millrace completion zsh)
_millrace() {
  local at="" before="\${words[CURRENT-1]}" word
  local -a subcommands flags values
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "$at $word" in
      ${walkedPaths(nodes).map(quoted).join("|")}) at="$at $word" ;;
    esac
  done
  case "$at" in
${nodes.map(zshBranch).join("\n")}
  esac
  if [[ -n "$before" && "$before" == -* ]] && (( \${#values} )); then
    [[ "\${values[1]}" == "" ]] && _files || compadd -a values
    return
  fi
  if [[ "\${words[CURRENT]}" == -* ]]; then _describe -o option flags; return; fi
  (( \${#subcommands} )) && _describe command subcommands || _files
}
# A file on the fpath is the body of the function at its first call.
if [[ "\${funcstack[1]}" == "_millrace" ]]; then _millrace "$@"; else compdef _millrace millrace; fi`;
}

function zshBranch(node: CommandNode): string {
  const path = node.path === "" ? "" : ` ${node.path}`;
  const options = node.options.flatMap(({ names, description }) =>
    names.map((word) => ({ word, description })),
  );
  const valued = node.options.filter(({ takesValue }) => takesValue);
  return `    ${quoted(path)})
      subcommands=(${node.commands.map(described).join(" ")})
      flags=(${options.map(described).join(" ")})
      case "$before" in
${[...valued.map(zshValues), "        *) values=() ;;"].join("\n")}
      esac ;;`;
}

/** One empty value stands for any: then files are offered. */
function zshValues({ names, choices }: OptionWords): string {
  const values = choices.length > 0 ? choices : [""];
  return `        ${names.join("|")}) values=(${values.map(quoted).join(" ")}) ;;`;
}

/** `word:description`, with the colons of the word escaped. */
function described({ word, description }: Word): string {
  return quoted(`${word.replaceAll(":", "\\:")}:${description}`);
}

/** The completion script of fish. */
function fishCompletion(nodes: readonly CommandNode[]): string {
  return `# fish completion for millrace: millrace completion fish | source
function __millrace_at --description 'whether the command line is at a command of millrace'
    set -l at ''
    for word in (commandline --cut-at-cursor --tokenize --current-process)[2..-1]
        switch "$at $word"
            case ${walkedPaths(nodes).map(fishQuoted).join(" ")}
                set at "$at $word"
        end
    end
    test "$at" = "$argv[1]"
end
complete --command millrace --erase
${nodes.flatMap(fishCompletions).join("\n")}`;
}

function fishCompletions(node: CommandNode): string[] {
  const path = node.path === "" ? "" : ` ${node.path}`;
  const here = `complete --command millrace --condition ${fishQuoted(`__millrace_at ${fishQuoted(path)}`)}`;
  return [
    ...node.commands.map(
      ({ word, description }) =>
        `${here} --no-files --arguments ${word} --description ${fishQuoted(description)}`,
    ),
    ...node.options.map((option) => `${here} ${fishFlags(option)}`),
  ];
}

function fishFlags({ names, description, takesValue, choices }: OptionWords): string {
  const parts = names.map((name) =>
    name.startsWith("--") ? `--long-option ${name.slice(2)}` : `--short-option ${name.slice(1)}`,
  );
  if (choices.length > 0) parts.push(`--exclusive --arguments ${fishQuoted(choices.join(" "))}`);
  else if (takesValue) parts.push("--require-parameter");
  return [...parts, `--description ${fishQuoted(description)}`].join(" ");
}

/** Between single quotes fish knows escapes, unlike the other shells. */
function fishQuoted(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}

/** A word that a command line can go on with, and what it is. */
interface Word {
  word: string;
  description: string;
}

/** An option with its names, `-f` and `--follow`. */
interface OptionWords {
  names: string[];
  description: string;
  takesValue: boolean;
  /** The values that it takes, when there are only so many. */
  choices: readonly string[];
}

/** What can follow a command. */
interface CommandNode {
  /** The words that lead here after the program's name: none, `runs`, `runs list`. */
  path: string;
  /** Commands, and the values of an argument that takes only so many. */
  commands: Word[];
  options: OptionWords[];
}

/** Every command of a program with what its help lists, each above those below it. */
function commandTree(command: Command, path: readonly string[] = []): CommandNode[] {
  const help = command.createHelp();
  const children = help.visibleCommands(command);
  const node: CommandNode = {
    path: path.join(" "),
    commands: [
      ...children.map((child) => ({
        word: child.name(),
        description: help.subcommandDescription(child),
      })),
      ...command.registeredArguments.flatMap(({ argChoices = [], description }) =>
        argChoices.map((word) => ({ word, description })),
      ),
    ],
    options: help.visibleOptions(command).map((option) => optionWords(option, help)),
  };
  return [node, ...children.flatMap((child) => commandTree(child, [...path, child.name()]))];
}

function optionWords(option: ReturnType<Help["visibleOptions"]>[number], help: Help): OptionWords {
  return {
    names: [option.short, option.long].filter((name): name is string => name != null),
    description: help.optionDescription(option),
    takesValue: option.required || option.optional,
    choices: option.argChoices ?? [],
  };
}

/** Every word that a command can be followed by. */
function wordsAfter({ commands, options }: CommandNode): Word[] {
  return [
    ...commands,
    ...options.flatMap(({ names, description }) => names.map((word) => ({ word, description }))),
  ];
}

/** The paths of commands as the shells see them while they walk along a line: ` runs`, ` runs list`. */
function walkedPaths(nodes: readonly CommandNode[]): string[] {
  return nodes.filter(({ path }) => path !== "").map(({ path }) => ` ${path}`);
}

/** A text between single quotes, as every shell here reads it. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
