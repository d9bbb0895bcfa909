import { Scope as WireScope } from '@knowledge/proto/knowledge/identity/v1/identity';
import { enumWords, type WordOf } from './enum-words.js';

/** The API writes `write:story` for WRITE_STORY. */
type Spelled<Word extends string> = Word extends `${infer Act}_${infer Kind}` ? `${Act}:${Kind}` : never;
type ScopeWord = Spelled<WordOf<typeof WireScope>>;

export const scopeNames = enumWords('scopes', WireScope, (word) => word.replace('_', ':') as ScopeWord);
export const { toWire: toWireScope, require: requireScope, answered: fromWireScope } = scopeNames;
