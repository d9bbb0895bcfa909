import type { Attribution, CallContext } from '@knowledge/runtime';
import {
  type CollectionDeclaration,
  date,
  listOf,
  objectOf,
  type TransactionScope,
  text,
  whole,
} from '@knowledge/runtime/mongodb';
import type { Collection, Db } from 'mongodb';
import { type ChangeCollections, isDeletedBy, type PutCall, type Writer } from '../changes/store.js';
import { decideSynonymPuts, decideSynonymRemoval, type Synonym, type SynonymPut, synonymBounds } from './domain.js';

type Scope = TransactionScope | Pick<CallContext, 'signal'>;

/** Stores the synonyms. Every change is one transaction with its entry of the log. */
export type SynonymStore = ReturnType<typeof createSynonymStore>;

export function createSynonymStore(
  writer: Writer,
  synonyms: Collection<SynonymDocument>,
  { changes }: Pick<ChangeCollections, 'changes'>,
) {
  const decideSynonyms = async (puts: readonly SynonymPut[], act: Attribution, scope: Scope) => {
    const ids = puts.map(({ id }) => id);
    const stored = (await synonyms.find({ _id: { $in: ids } }, scope).toArray()).map(toSynonym);
    const groups = await synonyms.countDocuments({}, { ...scope, limit: synonymBounds.groups });
    return decideSynonymPuts({ stored, groups }, puts, act);
  };

  return {
    /** Lists all groups, oldest first. */
    async listSynonyms(signal: AbortSignal) {
      const found = synonyms.find({}, { sort: { createdAt: 1, _id: 1 }, limit: synonymBounds.groups, signal });
      return (await found.toArray()).map(toSynonym);
    },

    /** Puts groups, and returns for each what was decided, or why it is refused. */
    async putSynonyms(puts: readonly SynonymPut[], act: Attribution, { signal, validateOnly }: PutCall) {
      if (validateOnly) return decideSynonyms(puts, act, { signal });
      return writer.write(async ({ scope, append }) => {
        const decided = await decideSynonyms(puts, act, scope);
        const changed = decided.flatMap((each) => ('transition' in each && each.transition ? [each] : []));
        if (changed.length === 0) return decided;
        await append(
          changed.map(({ synonym, transition }) => ({ subject: 'synonyms', key: synonym.id, tags: [], transition })),
          {},
        );
        const writes = changed.map(({ synonym: { id: _id, ...replacement } }) => ({
          replaceOne: { filter: { _id }, replacement, upsert: true },
        }));
        await synonyms.bulkWrite(writes, scope);
        return decided;
      }, signal);
    },

    /** Deletes a group. Without a transition the same request has already deleted it. */
    deleteSynonym(key: string, act: Attribution, signal: AbortSignal) {
      return writer.write(async ({ scope, append }) => {
        const found = await synonyms.findOne({ _id: key }, scope);
        const isRepeat = await isDeletedBy(changes, { site: { $exists: false }, key }, act, scope);
        if (found === null && isRepeat) return { outcome: 'deleted' };
        const transition = decideSynonymRemoval(found ?? undefined, act);
        await append({ subject: 'synonyms', key, tags: [], transition }, {});
        await synonyms.deleteOne({ _id: key }, scope);
        return { outcome: 'deleted', transition };
      }, signal);
    },
  };
}

function toSynonym({ _id: id, ...fields }: SynonymDocument): Synonym {
  return { id, ...fields };
}

/** A document in `synonyms`: a group of words, under the id that its editor chose. */
interface SynonymDocument extends Omit<Synonym, 'id'> {
  readonly _id: string;
}

export function synonymCollection(db: Db): Collection<SynonymDocument> {
  return db.collection('synonyms');
}

const words = listOf(text);

/** The collection of the synonyms that editors keep for search. */
export const synonymSchema: readonly CollectionDeclaration[] = [
  {
    name: 'synonyms',
    validator: {
      $jsonSchema: objectOf({
        _id: text,
        words,
        from: words,
        revision: whole,
        createdAt: date,
        updatedAt: date,
        updatedBy: text,
      }),
    },
  },
];
