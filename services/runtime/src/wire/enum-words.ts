import { KnowledgeError } from '../errors/knowledge-error.js';

/** The words of the domain for a proto enum: its names in lower case. */
type WordOf<Enum> = Lowercase<Exclude<keyof Enum & string, 'UNSPECIFIED' | 'UNRECOGNIZED'>>;

/** Converts between a proto enum and the words of the domain. */
export interface EnumWords<Word, Wire> {
  readonly toWire: (word: Word) => Wire;
  /**
   * Returns the word, or undefined if unspecified. Throws `validation_error` for a value that this version does not
   * know.
   */
  readonly optional: (wire: Wire) => Word | undefined;
  /** Returns the word. Throws `validation_error` for an unspecified value or one that this version does not know. */
  readonly require: (wire: Wire) => Word;
}

/**
 * Makes the converter of an enum for the field with this name. It does not compile if a word exists
 * only on one side.
 */
export function enumWords<Enum extends Readonly<Record<string, string>>>(
  field: string,
  wireEnum: Enum,
): EnumWords<WordOf<Enum>, Enum[keyof Enum]> {
  type Word = WordOf<Enum>;
  type Wire = Enum[keyof Enum];
  const named = Object.entries(wireEnum).filter(([name]) => name !== 'UNSPECIFIED' && name !== 'UNRECOGNIZED');
  const toWire = new Map(named.map(([name, wire]) => [name.toLowerCase() as Word, wire as Wire]));
  const fromWire = new Map([...toWire].map(([word, wire]) => [wire, word]));
  const choices = [...toWire.keys()].join(', ').replace(/, (?=[^,]*$)/, ' or ');
  const optional = (wire: Wire): Word | undefined => {
    const word = fromWire.get(wire);
    if (word === undefined && wire !== wireEnum.UNSPECIFIED) refuse(`${field} must be ${choices}.`);
    return word;
  };
  return {
    toWire: (word) => toWire.get(word) as Wire,
    optional,
    require: (wire) => optional(wire) ?? refuse(`${field} is required: ${choices}.`),
  };
}

function refuse(message: string): never {
  throw new KnowledgeError('validation_error', message);
}
