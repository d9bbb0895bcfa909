import { Argument, type Command, InvalidArgumentError, Option } from 'commander';
import { readTime } from '../base/time.js';
import { sites } from '../base/words.js';

/** The option `--site`. */
export function site(about: string) {
  return { '--site <site>': { about, choices: sites.words } };
}

export const requiredSite = { '--site <site>': { about: 'the site', choices: sites.words, required: true } } as const;

/** Makes the parser of an option. `fault` says what to give if a value has not this form. */
export function numberOf(form: RegExp, fault: string) {
  return (value: string) => {
    if (!form.test(value)) throw new InvalidArgumentError(fault);
    return Number(value);
  };
}

export const parseCount = numberOf(/^[1-9]\d{0,8}$/, 'Give a whole number from 1.');

export const limit = { '--limit <n>': { about: 'show at most this many (default: all)', parse: parseCount } } as const;

export const dryRun = { '--dry-run': 'show what would be imported, and import nothing' } as const;

/** The option `--reason`, empty if it is not given. */
export function reason(about = 'why, stored with the change; readers never see it') {
  return { '--reason <text>': { about, initial: '' } };
}

/** The option `--reason` without which nothing is done. */
export function requiredReason(about = 'why; stored with your name') {
  return { '--reason <text>': { about, required: true } } as const;
}

/** The option `--reason` for a change that support makes to a token or authorization. */
export const supportReason = reason('why; stored with the change, in no mail, but in an export of the person');

/** The option `--reason` for reading the data of a person. */
export const lookReason = reason('why you look at the data; stored with your name');

/** The option `--email` without which nothing is done. */
export function requiredEmail(about = 'the e-mail of the human') {
  return { '--email <address>': { about, required: true } } as const;
}

/** How an option is read that may be repeated, and has one value each time. */
export const repeated = { parse: (value: string, all: readonly string[]) => [...all, value], initial: [] };

/** Parses a time in RFC 3339, or a date, which means midnight UTC. */
export function parseTime(value: string): Date {
  const time = readTime(value);
  if (time === undefined) throw new InvalidArgumentError('Give a time like 2026-06-01T09:00:00Z, or a date.');
  return time;
}

/**
 * The arguments of a command, in their order, and its options. Each stands under the words of its help: `<id...>`,
 * `--site <site>`, `--dry-run`.
 */
export type Takes = Readonly<Record<string, string | Taken>>;

/** What the help says of an argument or option, and how its value is read. With a text alone one value is not empty. */
interface Taken {
  readonly about: string;
  readonly choices?: readonly string[];
  /** Whether the option must be given. */
  readonly required?: boolean;
  /** The value of an option that is not given. */
  readonly initial?: unknown;
  /** What the help calls that value. */
  readonly initialWords?: string;
  readonly parse?: (text: string, before: never) => unknown;
  /** The option with which it cannot be given. */
  readonly conflicts?: string;
}

/** The values of a command line, by the names of arguments and options. A flag that is not given is false. */
export type Given<T extends Takes> = { readonly [Words in keyof T as NameOf<Words>]: ValueOf<Words, T[Words]> };

type NameOf<Words> = Words extends `--no-${infer Name}`
  ? Camel<Name>
  : Words extends `--${infer Name}`
    ? Camel<Before<Name, ' '>>
    : Words extends `${'<' | '['}${infer Name}`
      ? Before<Before<Name, '...'>, '>'>
      : never;

type Before<Text extends string, Mark extends string> = Text extends `${infer Head}${Mark}${string}` ? Head : Text;

type Camel<Text extends string> = Text extends `${infer Head}-${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : Text;

type ValueOf<Words, How> = Words extends `--${string} <${string}`
  ? How extends { readonly required: true } | { readonly initial: unknown }
    ? ReadValue<Words, How>
    : ReadValue<Words, How> | undefined
  : ReadValue<Words, How>;

type ReadValue<Words, How> = How extends { readonly parse: (text: string, before: never) => infer Value }
  ? Value
  : Words extends `${string}...${string}`
    ? string[]
    : Words extends `${string}<${string}`
      ? string
      : boolean;

/** Adds arguments and options to a command. */
export function addTakes(command: Command, takes: Takes): void {
  for (const [words, how] of Object.entries(takes)) {
    const hasOneValue = /<[^.]+>$/.test(words);
    const taken: Taken = typeof how === 'string' ? { about: how, ...(hasOneValue && { parse: filled }) } : how;
    if (words.startsWith('-')) command.addOption(toOption(words, taken));
    else command.addArgument(readAs(new Argument(words, taken.about), taken));
  }
}

// A variable of a shell that is not set is empty, and must not select everything.
export function filled(value: string): string {
  if (value.trim() === '') throw new InvalidArgumentError('It must not be empty.');
  return value;
}

function toOption(words: string, taken: Taken) {
  const { about, required = false, conflicts = [] } = taken;
  return readAs(new Option(words, about), taken).makeOptionMandatory(required).conflicts(conflicts);
}

function readAs<Value extends Option | Argument>(value: Value, { choices, parse, initial, initialWords }: Taken) {
  if (choices !== undefined) value.choices(choices);
  if (parse !== undefined) value.argParser(parse as (text: string, before: unknown) => unknown);
  if (initial !== undefined) value.default(initial, initialWords);
  return value;
}

/** Reads the values that commander has parsed. */
export function readGiven(command: Command): Record<string, unknown> {
  const flags = command.options.filter((option) => option.isBoolean());
  return {
    ...Object.fromEntries(flags.map((flag) => [flag.attributeName(), false])),
    ...command.opts(),
    ...Object.fromEntries(command.registeredArguments.map((each, at) => [each.name(), command.processedArgs[at]])),
  };
}
