import { Site, type Transition as WireTransition } from '@knowledge/proto/knowledge/common/v1/common';
import { Scope as WireScope } from '@knowledge/proto/knowledge/identity/v1/identity';
import { KnowledgeError } from '../errors/knowledge-error.js';
import { inSeries } from '../product/index.js';
import { addressFault, asciiAddress } from '../text/address.js';
import { refuse } from '../text/faults.js';
import type { Transition } from '../transition.js';

/** The words of the domain for a proto enum: its names in lower case. */
type WordOf<Enum> = Lowercase<Exclude<keyof Enum & string, 'UNSPECIFIED' | 'UNRECOGNIZED'>>;

/** Converts between a proto enum and the words of the domain. */
export interface EnumWords<Word, Wire> {
  /** All words, in the order of the proto. */
  readonly words: readonly Word[];
  /** Undefined gives the unspecified value. */
  readonly toWire: (word: Word | undefined) => Wire;
  /**
   * Returns the word, or undefined if unspecified. Throws `validation_error` for a value that this version does not
   * know.
   */
  readonly optional: (wire: Wire) => Word | undefined;
  /** Returns the word. Throws `validation_error` for an unspecified value or one that this version does not know. */
  readonly require: (wire: Wire) => Word;
  /** Returns the word of what a service answered. Throws `internal_error` for any other value. */
  readonly answered: (wire: Wire) => Word;
}

/**
 * Makes the converter of an enum for the field with this name. It does not compile if a word exists
 * only on one side. `spell` is for words that are no names in lower case.
 */
export function enumWords<Enum extends Readonly<Record<string, string>>, Word extends string = WordOf<Enum>>(
  field: string,
  wireEnum: Enum,
  spell = (word: WordOf<Enum>) => word as string as Word,
): EnumWords<Word, Enum[keyof Enum]> {
  type Wire = Enum[keyof Enum];
  const named = Object.entries(wireEnum).filter(([name]) => name !== 'UNSPECIFIED' && name !== 'UNRECOGNIZED');
  const toWire = new Map(named.map(([name, wire]) => [spell(name.toLowerCase() as WordOf<Enum>), wire as Wire]));
  const fromWire = new Map([...toWire].map(([word, wire]) => [wire, word]));
  const choices = inSeries([...toWire.keys()], 'or');
  const optional = (wire: Wire) => {
    const word = fromWire.get(wire);
    if (word === undefined && wire !== wireEnum.UNSPECIFIED) refuse(`${field} must be ${choices}`);
    return word;
  };
  return {
    words: [...toWire.keys()],
    toWire: (word) => (word === undefined ? wireEnum.UNSPECIFIED : toWire.get(word)) as Wire,
    optional,
    require: (wire) => optional(wire) ?? refuse(`${field} is required: ${choices}`),
    answered: (wire) => fromWire.get(wire) ?? unknownAnswer(field),
  };
}

function unknownAnswer(field: string): never {
  throw new KnowledgeError('internal_error', `A service answered with an unknown ${field}.`);
}

/** The API writes `write:story` for WRITE_STORY. */
type Spelled<Word extends string> = Word extends `${infer Act}_${infer Kind}` ? `${Act}:${Kind}` : never;
type ScopeWord = Spelled<WordOf<typeof WireScope>>;

export const scopeNames = enumWords('scopes', WireScope, (word) => word.replace('_', ':') as ScopeWord);
export const { toWire: toWireScope, require: requireScope, answered: fromWireScope } = scopeNames;

const words = enumWords('site', Site);
export const { toWire: toWireSite, optional: optionalSite, require: requireSite, answered: fromWireSite } = words;

export function toWireTransition({ from, to, at, ...act }: Transition): WireTransition {
  const { decision, actor, reason, revision } = act;
  return { fromState: from, toState: to, decision, actor, occurredAt: at, reason, revision };
}

/**
 * Checks an address and converts it to ASCII and lower case. The plus-tag stays (gateway/PROTOCOL.md#ownership).
 *
 * @throws KnowledgeError `validation_error` unless it is exactly one plain address (SECURITY.md#mail).
 */
export function requireEmail(input: string): string {
  const fault = addressFault(input);
  if (fault !== undefined) refuse(`email ${fault}`);
  return asciiAddress(input).toLowerCase();
}

/** The name of a field in the proto: `publishedAt` becomes `published_at`. */
export function toWireFieldName(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Some fields of a record, under their names in the proto. */
export function toWireFields<Stored>(record: Stored, names: readonly (keyof Stored & string)[]): object {
  return Object.fromEntries(names.map((name) => [toWireFieldName(name), record[name]]));
}
