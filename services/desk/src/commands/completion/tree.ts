import type { Command, Option } from 'commander';

/** The facts about a command that a completion script uses. */
export interface CommandNode {
  /** The words of the command without `knowledge`; empty for the program itself. */
  readonly path: string;
  readonly commands: readonly { name: string; description: string }[];
  readonly options: readonly OptionNode[];
  /** The words that the first argument of the command accepts. */
  readonly choices: readonly string[];
}

export interface OptionNode {
  readonly long: string;
  readonly description: string;
  /** The values that the option accepts; empty if it takes no value, or any value. */
  readonly choices: readonly string[];
  readonly takesValue: boolean;
}

/** Lists the program and all its commands. The options of a command include those of the program. */
export function readTree(program: Command): CommandNode[] {
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

function toOptionNode({ long, description, argChoices, required, optional }: OptionFacts): OptionNode {
  return {
    long: long ?? '',
    description: firstPart(description),
    choices: [...(argChoices ?? [])],
    takesValue: required || optional,
  };
}

// Shells show a description in one short line, so this cuts it at the first punctuation mark.
function firstPart(description: string): string {
  return (description.split(/[;:(]|\. /, 1)[0] ?? '').trim();
}

/** Puts a word in single quotes, for bash, zsh and fish. */
export function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
