import { type CommandNode, type OptionWords, quoted, type Word, walkedPaths } from "./command-tree.ts";

/** The completion script of zsh: to be sourced after compinit, or kept as a file `_millrace` on the fpath. */
export function zshCompletion(nodes: readonly CommandNode[]): string {
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
${nodes.map(branch).join("\n")}
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

function branch(node: CommandNode): string {
  const path = node.path === "" ? "" : ` ${node.path}`;
  const options = node.options.flatMap(({ names, description }) =>
    names.map((word) => ({ word, description })),
  );
  const valued = node.options.filter(({ takesValue }) => takesValue);
  return `    ${quoted(path)})
      subcommands=(${node.commands.map(described).join(" ")})
      flags=(${options.map(described).join(" ")})
      case "$before" in
${[...valued.map(valuesOf), "        *) values=() ;;"].join("\n")}
      esac ;;`;
}

/** One empty value stands for any: then files are offered. */
function valuesOf({ names, choices }: OptionWords): string {
  const values = choices.length > 0 ? choices : [""];
  return `        ${names.join("|")}) values=(${values.map(quoted).join(" ")}) ;;`;
}

/** `word:description`, with the colons of the word escaped. */
function described({ word, description }: Word): string {
  return quoted(`${word.replaceAll(":", "\\:")}:${description}`);
}
