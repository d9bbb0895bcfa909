import { Site } from '@knowledge/proto/knowledge/common/v1/common';

/** The words that people and programs use for the values of a proto enum. */
export interface EnumWords<Value extends string> {
  /** Every word, `unspecified` left out. */
  readonly words: readonly string[];
  /** `unknown` for a value that this desk does not know yet. */
  fromWire(value: Value): string;
  /** The value of one of the words; unspecified for none. */
  toWire(word: string | undefined): Value;
}

/** `ARTICLE_STATE_DRAFT` ↔ `draft`. */
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

/** `io` and `org`. */
export const sites = enumWords(Site, 'SITE_');
