import { commandCases, placeOf, type ValueOption, valueOptions } from './cases.js';
import { type CommandNode, quoted } from './tree.js';

/** Writes the completion script for bash 3.2 and newer. */
export function bashScript(nodes: readonly CommandNode[]): string {
  return `# Completion of knowledge for bash, made by "knowledge completion bash".
_knowledge() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} at='' words='' i
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$at \${COMP_WORDS[i]}" in
${commandCases(nodes)}
    esac
  done
  case "$at $prev" in
${valueOptions(nodes).map(valueCase).join('\n')}
    *)
      case "$at" in
${nodes.map(wordCase).join('\n')}
      esac
      ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -o default -F _knowledge knowledge
`;
}

// For an option without fixed choices the script suggests nothing, so that bash completes file names.
function valueCase({ place, choices }: ValueOption): string {
  return `    ${quoted(place)}) words=${quoted(choices.join(' '))} ;;`;
}

function wordCase({ path, commands, options, choices }: CommandNode): string {
  const plain = [...commands.map(({ name }) => name), ...choices].join(' ');
  const flags = options.map(({ long }) => long).join(' ');
  return `        ${quoted(placeOf(path))}) [[ $cur == -* ]] && words=${quoted(flags)} || words=${quoted(plain)} ;;`;
}
