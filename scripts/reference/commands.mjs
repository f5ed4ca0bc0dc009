import { code, page, table } from "./page.mjs";

/**
 * The page about every command, from what `--help` is made of.
 * @param program the root Command of commander
 * @param exitCodes each code with its meaning
 */
export function commandsPage(program, exitCodes) {
  const introduction =
    "This page contains the help text of every command, as printed by `millrace COMMAND --help`. For an overview of the commands, see [Command line](../cli.md).";
  const exits = `## Exit codes\n\n${table(["code", "meaning"], exitCodes)}`;
  return page("Commands", introduction, [exits, ...leavesOf(program, []).map(sectionOf)]);
}

/** Every command that can be run, with the words that lead to it. */
function leavesOf(command, path) {
  const help = command.createHelp();
  const children = help.visibleCommands(command).filter((child) => child.name() !== "help");
  const words = [...path, command.name()];
  return children.length === 0
    ? [{ command, help, words }]
    : children.flatMap((child) => leavesOf(child, words));
}

function sectionOf({ command, help, words }) {
  const usage = `${words.join(" ")} ${command.usage()}`.trim();
  const argumentRows = help
    .visibleArguments(command)
    .map((argument) => [code(argument.name()), help.argumentDescription(argument)]);
  const optionRows = help
    .visibleOptions(command)
    .filter(({ long }) => long !== "--help")
    .map((option) => [code(option.flags), help.optionDescription(option)]);
  const rows = [...argumentRows, ...optionRows];
  return [
    `## ${words.join(" ")}`,
    `${sentence(command.description())}`,
    code(usage),
    table(["argument or option", "description"], rows),
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

const sentence = (text) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
