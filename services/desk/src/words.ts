import { Site } from '@knowledge/proto/knowledge/common/v1/common';

/** Converts between a proto enum and the words of the command line. */
export interface EnumWords<Value extends string> {
  /** All words except `unspecified`. */
  readonly words: readonly string[];
  /** Returns `unknown` for a value that only a newer service knows. */
  fromWire(value: Value): string;
  /** Returns the unspecified value for undefined or an unknown word. */
  toWire(word: string | undefined): Value;
}

/** Makes the words of an enum, for example `draft` for `ARTICLE_STATE_DRAFT`. */
export function enumWords<Value extends string>(
  values: Readonly<Record<string, Value>>,
  prefix: string,
): EnumWords<Value> {
  const prefixed = Object.values(values).filter((value) => value.startsWith(prefix));
  const byWord = new Map(prefixed.map((value) => [value.slice(prefix.length).toLowerCase(), value]));
  const unspecified = byWord.get('unspecified');
  if (unspecified === undefined) throw new TypeError(`${prefix} has no unspecified value.`);
  byWord.delete('unspecified');
  const words = new Map([...byWord].map(([word, value]) => [value, word]));
  return {
    words: [...byWord.keys()],
    fromWire: (value) => words.get(value) ?? 'unknown',
    toWire: (word) => (word === undefined ? unspecified : (byWord.get(word) ?? unspecified)),
  };
}

export const sites = enumWords(Site, 'SITE_');
