import { type CommandNode, quoted } from './tree.js';

/** What a script has typed behind `knowledge` when it is at a command: nothing, or a space before each word. */
export function placeOf(path: string): string {
  return path === '' ? '' : ` ${path}`;
}

/** The lines of a `case` of bash and zsh that follow the words of a command line from command to command. */
export function commandCases(nodes: readonly CommandNode[]): string {
  return commandPlaces(nodes)
    .map((place) => `      ${place}) at=${place} ;;`)
    .join('\n');
}

/** The quoted places of all commands. */
export function commandPlaces(nodes: readonly CommandNode[]): string[] {
  return nodes.filter(({ path }) => path !== '').map(({ path }) => quoted(placeOf(path)));
}

/** An option that takes a value, behind the command that takes it. */
export interface ValueOption {
  readonly place: string;
  /** None where the value may be any. */
  readonly choices: readonly string[];
}

/** Every option of every command that takes a value. */
export function valueOptions(nodes: readonly CommandNode[]): ValueOption[] {
  return nodes.flatMap(({ path, options }) =>
    options
      .filter(({ takesValue }) => takesValue)
      .map(({ long, choices }) => ({ place: `${placeOf(path)} ${long}`, choices })),
  );
}
