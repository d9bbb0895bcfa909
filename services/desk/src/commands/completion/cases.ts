import { type CommandNode, quoted } from './tree.js';

/** The words of a command as the scripts collect them: empty for the program, else each word after a space. */
export function placeOf(path: string): string {
  return path === '' ? '' : ` ${path}`;
}

/** The branches of a `case` in bash and zsh that recognise each command, word by word. */
export function commandCases(nodes: readonly CommandNode[]): string {
  return commandPlaces(nodes)
    .map((place) => `      ${place}) at=${place} ;;`)
    .join('\n');
}

/** The quoted places of all commands, without the program itself. */
export function commandPlaces(nodes: readonly CommandNode[]): string[] {
  return nodes.filter(({ path }) => path !== '').map(({ path }) => quoted(placeOf(path)));
}

/** An option that takes a value, with its command. */
export interface ValueOption {
  readonly place: string;
  /** Empty if any value is allowed. */
  readonly choices: readonly string[];
}

export function valueOptions(nodes: readonly CommandNode[]): ValueOption[] {
  return nodes.flatMap(({ path, options }) =>
    options
      .filter(({ takesValue }) => takesValue)
      .map(({ long, choices }) => ({ place: `${placeOf(path)} ${long}`, choices })),
  );
}
