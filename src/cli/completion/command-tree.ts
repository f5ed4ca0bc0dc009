import type { Command, Help } from "commander";

/** A word that a command line can go on with, and what it is. */
export interface Word {
  word: string;
  description: string;
}

/** An option with its names, `-f` and `--follow`. */
export interface OptionWords {
  names: string[];
  description: string;
  takesValue: boolean;
  /** The values that it takes, when there are only so many. */
  choices: readonly string[];
}

/** What can follow a command. */
export interface CommandNode {
  /** The words that lead here after the program's name: none, `runs`, `runs list`. */
  path: string;
  /** Commands, and the values of an argument that takes only so many. */
  commands: Word[];
  options: OptionWords[];
}

/** Every command of a program with what its help lists, each above those below it. */
export function commandTree(command: Command, path: readonly string[] = []): CommandNode[] {
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
export function wordsAfter({ commands, options }: CommandNode): Word[] {
  return [
    ...commands,
    ...options.flatMap(({ names, description }) => names.map((word) => ({ word, description }))),
  ];
}

/** The paths of commands as the shells see them while they walk along a line: ` runs`, ` runs list`. */
export function walkedPaths(nodes: readonly CommandNode[]): string[] {
  return nodes.filter(({ path }) => path !== "").map(({ path }) => ` ${path}`);
}

/** A text between single quotes, as every shell here reads it. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
