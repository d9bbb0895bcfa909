import type { Command, Option } from 'commander';

/** A command as completion knows it. */
export interface CommandNode {
  /** Its words without `knowledge`, joined by spaces; empty for the program. */
  readonly path: string;
  readonly commands: readonly { name: string; description: string }[];
  readonly options: readonly OptionNode[];
  /** The words that its first argument may be. */
  readonly choices: readonly string[];
}

/** An option of a command. */
export interface OptionNode {
  readonly long: string;
  readonly description: string;
  /** The values that it may have; none where it takes no value, or any. */
  readonly choices: readonly string[];
  readonly takesValue: boolean;
}

/** Every command below a program, with the options that it takes, those of the program included. */
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

// Shells show one short line.
function firstPart(description: string): string {
  return (description.split(/[;:(]|\. /, 1)[0] ?? '').trim();
}

/** A word in single quotes, as every shell of these takes it. */
export function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
