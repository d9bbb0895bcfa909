import { type CommandNode, quoted } from './tree.js';

/** Converts a command path to the form that the scripts compare: each word follows a space. */
export function placeOf(path: string): string {
  return path === '' ? '' : ` ${path}`;
}

/** Writes the branches of a shell `case` that recognise a command word by word, for bash and zsh. */
export function commandCases(nodes: readonly CommandNode[]): string {
  return commandPlaces(nodes)
    .map((place) => `      ${place}) at=${place} ;;`)
    .join('\n');
}

/** Lists the quoted paths of all commands, without the program itself. */
export function commandPlaces(nodes: readonly CommandNode[]): string[] {
  return nodes.filter(({ path }) => path !== '').map(({ path }) => quoted(placeOf(path)));
}

/** An option that takes a value, and the path of its command. */
export interface ValueOption {
  readonly place: string;
  /** The allowed values; empty if every value is allowed. */
  readonly choices: readonly string[];
}

export function valueOptions(nodes: readonly CommandNode[]): ValueOption[] {
  return nodes.flatMap(({ path, options }) =>
    options
      .filter(({ takesValue }) => takesValue)
      .map(({ long, choices }) => ({ place: `${placeOf(path)} ${long}`, choices })),
  );
}
