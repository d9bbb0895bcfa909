import { commandPlaces, placeOf } from './cases.js';
import { type CommandNode, quoted } from './tree.js';

/** Writes the completion script for fish 3 and newer. */
export function fishScript(nodes: readonly CommandNode[]): string {
  return `# Completion of knowledge for fish, made by "knowledge completion fish".
function __knowledge_at
  set -l at ''
  for word in (commandline -opc)[2..-1]
    switch "$at $word"
      case ${commandPlaces(nodes).join(' ')}
        set at "$at $word"
    end
  end
  test "$at" = "$argv[1]"
end
complete -c knowledge -f
${nodes.flatMap(lines).join('\n')}
`;
}

function lines({ path, commands, options, choices }: CommandNode): string[] {
  const here = `complete -c knowledge -n "__knowledge_at ${quoted(placeOf(path))}"`;
  return [
    ...commands.map(({ name, description }) => `${here} -a ${quoted(name)} -d ${quoted(fishText(description))}`),
    ...(choices.length > 0 ? [`${here} -a ${quoted(choices.join(' '))}`] : []),
    ...options.map(({ long, description, takesValue, choices: values }) => {
      const value = takesValue ? (values.length > 0 ? ` -x -a ${quoted(values.join(' '))}` : ' -r') : '';
      return `${here} -l ${quoted(long.slice(2))}${value} -d ${quoted(fishText(description))}`;
    }),
    // The arguments of a command without subcommands may be file names.
    ...(commands.length === 0 && choices.length === 0 ? [`${here} -F`] : []),
  ];
}

// Backslashes and quotes have a special meaning inside single quotes in fish, so this replaces both.
function fishText(text: string): string {
  return text.replace(/['\\]/g, '’');
}
