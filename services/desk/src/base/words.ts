import { Site } from '@knowledge/proto/knowledge/common/v1/common';
import { type EnumWords as StrictWords, enumWords as strictWords } from '@knowledge/runtime/wire';

/** Converts between a proto enum and the words of the command line. */
export interface EnumWords<Value> {
  /** All words except `unspecified`. */
  readonly words: readonly string[];
  /** Returns `unknown` for a value that only a newer service knows. */
  fromWire(value: Value): string;
  /** Returns the unspecified value for undefined or an unknown word. */
  toWire(word: string | undefined): Value;
}

/** Makes the words of an enum, for example `draft` for `ARTICLE_STATE_DRAFT`. */
export function enumWords<Enum extends Readonly<Record<string, string>>>(values: Enum): EnumWords<Enum[keyof Enum]> {
  return lenient(strictWords('value', values));
}

/** Takes and gives words that the enum lacks, where the services refuse them. */
export function lenient<Word extends string, Wire>({ words, toWire }: StrictWords<Word, Wire>): EnumWords<Wire> {
  return {
    words,
    fromWire: (value) => words.find((word) => toWire(word) === value) ?? 'unknown',
    toWire: (word) => toWire(words.find((each) => each === word)),
  };
}

export const sites = enumWords(Site);

/** Returns a field that the service must always set. Throws if the field is missing. */
export function requireField<T>(value: T | undefined): T {
  if (value === undefined)
    throw new TypeError(
      'A part is missing in the response of the service. Perhaps the service and the desk have different versions.',
    );
  return value;
}
