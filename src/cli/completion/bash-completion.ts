import { type CommandNode, type OptionWords, quoted, walkedPaths, wordsAfter } from "./command-tree.ts";

/** The completion script of bash, from 3.2 on. Where nothing of ours fits, bash completes files. */
export function bashCompletion(nodes: readonly CommandNode[]): string {
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
${nodes.map(branch).join("\n")}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o bashdefault -o default -F _millrace millrace`;
}

function branch(node: CommandNode): string {
  const path = node.path === "" ? "" : ` ${node.path}`;
  const words = wordsAfter(node).map(({ word }) => word);
  const free = node.options.filter(({ takesValue, choices }) => takesValue && choices.length === 0);
  const values = [
    ...node.options.filter(({ choices }) => choices.length > 0).map(valuesOf),
    ...(free.length > 0 ? [`        ${free.flatMap(({ names }) => names).join("|")}) ;;`] : []),
  ];
  return `    ${quoted(path)})
      case "$before" in
${[...values, `        *) words=${quoted(words.join(" "))} ;;`].join("\n")}
      esac ;;`;
}

function valuesOf({ names, choices }: OptionWords): string {
  return `        ${names.join("|")}) words=${quoted(choices.join(" "))} ;;`;
}
