import { type CommandNode, type OptionWords, walkedPaths } from "./command-tree.ts";

/** The completion script of fish. */
export function fishCompletion(nodes: readonly CommandNode[]): string {
  return `# fish completion for millrace: millrace completion fish | source
function __millrace_at --description 'whether the command line is at a command of millrace'
    set -l at ''
    for word in (commandline --cut-at-cursor --tokenize --current-process)[2..-1]
        switch "$at $word"
            case ${walkedPaths(nodes).map(quoted).join(" ")}
                set at "$at $word"
        end
    end
    test "$at" = "$argv[1]"
end
complete --command millrace --erase
${nodes.flatMap(completions).join("\n")}`;
}

function completions(node: CommandNode): string[] {
  const path = node.path === "" ? "" : ` ${node.path}`;
  const here = `complete --command millrace --condition ${quoted(`__millrace_at ${quoted(path)}`)}`;
  return [
    ...node.commands.map(
      ({ word, description }) =>
        `${here} --no-files --arguments ${word} --description ${quoted(description)}`,
    ),
    ...node.options.map((option) => `${here} ${flags(option)}`),
  ];
}

function flags({ names, description, takesValue, choices }: OptionWords): string {
  const parts = names.map((name) =>
    name.startsWith("--") ? `--long-option ${name.slice(2)}` : `--short-option ${name.slice(1)}`,
  );
  if (choices.length > 0) parts.push(`--exclusive --arguments ${quoted(choices.join(" "))}`);
  else if (takesValue) parts.push("--require-parameter");
  return [...parts, `--description ${quoted(description)}`].join(" ");
}

/** Between single quotes fish knows escapes, unlike the other shells. */
function quoted(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
