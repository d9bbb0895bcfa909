import { commandCases, placeOf, type ValueOption, valueOptions } from './cases.js';
import { type CommandNode, type OptionNode, quoted } from './tree.js';

/**
 * Writes the completion script for zsh. Users save it as `_knowledge` in a folder of `fpath`, or source it after
 * `compinit`.
 */
export function zshScript(nodes: readonly CommandNode[]): string {
  return `#compdef knowledge
# Completion of knowledge for zsh, made by "knowledge completion zsh".
_knowledge() {
  local at='' i
  local -a found
  for ((i = 2; i < CURRENT; i++)); do
    case "$at \${words[i]}" in
${commandCases(nodes)}
    esac
  done
  case "$at \${words[CURRENT-1]}" in
${valueOptions(nodes).map(valueCase).join('\n')}
  esac
  case "$at" in
${nodes.map(wordCase).join('\n')}
  esac
}
if [ "$funcstack[1]" = _knowledge ]; then _knowledge "$@"; else compdef _knowledge knowledge; fi
`;
}

function valueCase({ place, choices }: ValueOption): string {
  const complete = choices.length === 0 ? '_files' : `compadd -- ${choices.map(quoted).join(' ')}`;
  return `    ${quoted(place)}) ${complete}; return ;;`;
}

function wordCase({ path, commands, options, choices }: CommandNode): string {
  const plain = [...commands.map(described), ...choices.map(quoted)].join(' ');
  const words = plain === '' ? '_files' : `found=(${plain}); _describe command found`;
  const flags = `found=(${options.map(describedFlag).join(' ')}); _describe option found`;
  return `    ${quoted(placeOf(path))}) if [[ \${words[CURRENT]} == -* ]]; then ${flags}; else ${words}; fi ;;`;
}

function described({ name, description }: { name: string; description: string }): string {
  return quoted(`${name}:${description.replaceAll(':', '')}`);
}

function describedFlag({ long, description }: OptionNode): string {
  return described({ name: long, description });
}
