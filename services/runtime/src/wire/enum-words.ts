import { KnowledgeError } from '../errors/knowledge-error.js';

/** The names of an enum of the protos in lower case, which are the words of the domain. */
type WordOf<Enum> = Lowercase<Exclude<keyof Enum & string, 'UNSPECIFIED' | 'UNRECOGNIZED'>>;

/** An enum of the protos, to and from the words of the domain. */
export interface EnumWords<Word, Wire> {
  readonly toWire: (word: Word) => Wire;
  /** The word; undefined where none is given. Throws `validation_error` for one that this version does not know. */
  readonly optional: (wire: Wire) => Word | undefined;
  /** The word. Throws `validation_error` where none is given, too. */
  readonly require: (wire: Wire) => Word;
}

/** The words of an enum, for a field of that name. A word that only one side has does not compile where it is used. */
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
