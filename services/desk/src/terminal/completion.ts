import type { Command, Option } from 'commander';
import { type AddCommands, command } from './command-table.js';

const scripts: Readonly<Record<string, (nodes: readonly CommandNode[]) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

/** `knowledge completion SHELL`, which prints a completion script made from the command tree. */
export const completion: AddCommands = (parsed, handle) =>
  command({
    takes: { '<shell>': { about: 'your shell', choices: Object.keys(scripts) } },
    run: async ({ host }, { shell }) => host.stdout.write(scripts[shell]?.(readTree(parsed.parent ?? parsed)) ?? ''),
    examples: [
      'completion bash > ~/.local/share/bash-completion/completions/knowledge',
      'completion zsh > "${fpath[1]}/_knowledge"',
      'completion fish > ~/.config/fish/completions/knowledge.fish',
    ],
  })(parsed, handle);

/** The facts about a command that a completion script uses. */
interface CommandNode {
  /** The words of the command without `knowledge`; empty for the program itself. */
  readonly path: string;
  readonly commands: readonly { name: string; description: string }[];
  readonly options: readonly OptionNode[];
  /** The words that the first argument of the command accepts. */
  readonly choices: readonly string[];
}

/** Lists the program and all its commands. The options of a command include those of the program. */
function readTree(program: Command): CommandNode[] {
  const visit = (command: Command, path: readonly string[]): CommandNode[] => [
    {
      path: path.join(' '),
      commands: command.commands.map((each) => ({ name: each.name(), description: firstPart(each.description()) })),
      options: [...command.options, ...(command === program ? [] : program.options), help].map(toOptionNode),
      choices: [...(command.registeredArguments[0]?.argChoices ?? [])],
    },
    ...command.commands.flatMap((each) => visit(each, [...path, each.name()])),
  ];
  return visit(program, []);
}

type OptionFacts = Pick<Option, 'long' | 'description' | 'argChoices' | 'required' | 'optional'>;

const help: OptionFacts = {
  long: '--help',
  description: 'show help',
  required: false,
  optional: false,
};

type OptionNode = ReturnType<typeof toOptionNode>;

function toOptionNode({ long, description, argChoices, required, optional }: OptionFacts) {
  return {
    long: long ?? '',
    description: firstPart(description),
    /** The values that the option accepts; empty if it takes no value, or any value. */
    choices: [...(argChoices ?? [])],
    takesValue: required || optional,
  };
}

// Shells show a description in one short line, so this cuts it at the first punctuation mark.
function firstPart(description: string) {
  return (description.split(/[;:(]|\. /, 1)[0] ?? '').trim();
}

/** Puts a word in single quotes, for bash, zsh and fish. */
function quoted(word: string) {
  return `'${word.replaceAll("'", "'\\''")}'`;
}

/** Converts a command path to the form that the scripts compare: each word follows a space. */
function placeOf(path: string) {
  return path === '' ? '' : ` ${path}`;
}

/** Writes the branches of a shell `case` that recognise a command word by word, for bash and zsh. */
function commandCases(nodes: readonly CommandNode[]) {
  return commandPlaces(nodes)
    .map((place) => `      ${place}) at=${place} ;;`)
    .join('\n');
}

/** Lists the quoted paths of all commands, without the program itself. */
function commandPlaces(nodes: readonly CommandNode[]) {
  return nodes.filter(({ path }) => path !== '').map(({ path }) => quoted(placeOf(path)));
}

/** An option that takes a value, and the path of its command. */
type ValueOption = ReturnType<typeof valueOptions>[number];

function valueOptions(nodes: readonly CommandNode[]) {
  return nodes.flatMap(({ path, options }) =>
    options
      .filter(({ takesValue }) => takesValue)
      .map(({ long, choices }) => ({ place: `${placeOf(path)} ${long}`, choices })),
  );
}

/** Writes the completion script for bash 3.2 and newer. */
function bashScript(nodes: readonly CommandNode[]) {
  return `# Completion of knowledge for bash, made by "knowledge completion bash".
_knowledge() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} at='' words='' i
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$at \${COMP_WORDS[i]}" in
${commandCases(nodes)}
    esac
  done
  case "$at $prev" in
${valueOptions(nodes).map(bashValue).join('\n')}
    *)
      case "$at" in
${nodes.map(bashWords).join('\n')}
      esac
      ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -o default -F _knowledge knowledge
`;
}

// For an option without fixed choices the script suggests nothing, so that bash completes file names.
function bashValue({ place, choices }: ValueOption) {
  return `    ${quoted(place)}) words=${quoted(choices.join(' '))} ;;`;
}

function bashWords({ path, commands, options, choices }: CommandNode) {
  const plain = [...commands.map(({ name }) => name), ...choices].join(' ');
  const flags = options.map(({ long }) => long).join(' ');
  return `        ${quoted(placeOf(path))}) [[ $cur == -* ]] && words=${quoted(flags)} || words=${quoted(plain)} ;;`;
}

/**
 * Writes the completion script for zsh. Users save it as `_knowledge` in a folder of `fpath`, or source it after
 * `compinit`.
 */
function zshScript(nodes: readonly CommandNode[]) {
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
${valueOptions(nodes).map(zshValue).join('\n')}
  esac
  case "$at" in
${nodes.map(zshWords).join('\n')}
  esac
}
if [ "$funcstack[1]" = _knowledge ]; then _knowledge "$@"; else compdef _knowledge knowledge; fi
`;
}

function zshValue({ place, choices }: ValueOption) {
  const complete = choices.length === 0 ? '_files' : `compadd -- ${choices.map(quoted).join(' ')}`;
  return `    ${quoted(place)}) ${complete}; return ;;`;
}

function zshWords({ path, commands, options, choices }: CommandNode) {
  const plain = [...commands.map(described), ...choices.map(quoted)].join(' ');
  const words = plain === '' ? '_files' : `found=(${plain}); _describe command found`;
  const flags = `found=(${options.map(describedFlag).join(' ')}); _describe option found`;
  return `    ${quoted(placeOf(path))}) if [[ \${words[CURRENT]} == -* ]]; then ${flags}; else ${words}; fi ;;`;
}

function described({ name, description }: { name: string; description: string }) {
  return quoted(`${name}:${description.replaceAll(':', '')}`);
}

function describedFlag({ long, description }: OptionNode) {
  return described({ name: long, description });
}

/** Writes the completion script for fish 3 and newer. */
function fishScript(nodes: readonly CommandNode[]) {
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
${nodes.flatMap(fishLines).join('\n')}
`;
}

function fishLines({ path, commands, options, choices }: CommandNode) {
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
function fishText(text: string) {
  return text.replace(/['\\]/g, '’');
}
