import type { Attribution, CallContext, Transition } from '@knowledge/runtime';
import type { TransactionScope } from '@knowledge/runtime/mongodb';
import type { Collections } from '../../store/documents.js';
import { indexes } from '../../store/schema.js';
import type { Writer } from '../../store/writer.js';
import {
  decideSynonymPut,
  decideSynonymRemoval,
  requireRoom,
  type Synonym,
  type SynonymOutcome,
  type SynonymPut,
  synonymBounds,
} from '../domain/synonym.js';
import type { SearchWordsCollections, SynonymDocument } from './documents.js';

/** Stores the groups of synonyms. Every change is one transaction with its entry of the log. */
export interface SynonymStore {
  /** Lists all groups, oldest first. */
  list(signal: AbortSignal): Promise<Synonym[]>;
  /** Puts a group. With `validateOnly` it writes nothing and says what would happen. */
  put(
    put: SynonymPut,
    act: Attribution,
    how: Pick<CallContext, 'signal'> & { readonly validateOnly: boolean },
  ): Promise<SynonymOutcome>;
  /** Deletes a group. Returns undefined if the same request has already deleted it. */
  remove(id: string, act: Attribution, call: Pick<CallContext, 'signal'>): Promise<Transition | undefined>;
}

/** Makes the store of synonyms for these collections. */
export function createSynonymStore(
  writer: Writer,
  { synonyms }: Pick<SearchWordsCollections, 'synonyms'>,
  { changes }: Pick<Collections, 'changes'>,
): SynonymStore {
  const decide = async (put: SynonymPut, act: Attribution, scope: TransactionScope | { signal: AbortSignal }) => {
    const found = await synonyms.findOne({ _id: put.id }, scope);
    const decided = decideSynonymPut(found === null ? undefined : toSynonym(found), put, act);
    if (decided.outcome === 'created') {
      requireRoom(await synonyms.countDocuments({}, { ...scope, limit: synonymBounds.groups }));
    }
    return decided;
  };

  const isDeletedBy = async (id: string, { actor, requestId }: Attribution, scope: TransactionScope) => {
    const by = { 'transition.to': 'deleted', 'transition.actor': actor, 'transition.requestId': requestId };
    const entry = { site: { $exists: false }, key: id, subject: 'synonyms' as const };
    return (await changes.findOne({ ...entry, ...by }, { ...scope, hint: indexes.deletions })) !== null;
  };

  return {
    async list(signal) {
      const found = synonyms.find({}, { sort: { createdAt: 1, _id: 1 }, limit: synonymBounds.groups, signal });
      return (await found.toArray()).map(toSynonym);
    },

    async put(put, act, { signal, validateOnly }) {
      if (validateOnly) return decide(put, act, { signal });
      return writer.write(async ({ scope, append }) => {
        const decided = await decide(put, act, scope);
        if (decided.outcome === 'unchanged') return decided;
        const { synonym, transition } = decided;
        await append({ subject: 'synonyms', key: put.id, tags: [], transition }, {});
        const { id: _id, ...fields } = synonym;
        await synonyms.replaceOne(
          { _id },
          { ...fields, words: [...fields.words], from: [...fields.from] },
          { upsert: true, ...scope },
        );
        return decided;
      }, signal);
    },

    remove: (id, act, { signal }) =>
      writer.write(async ({ scope, append }) => {
        const found = await synonyms.findOne({ _id: id }, scope);
        if (found === null && (await isDeletedBy(id, act, scope))) return undefined;
        const transition = decideSynonymRemoval(found === null ? undefined : toSynonym(found), act);
        await append({ subject: 'synonyms', key: id, tags: [], transition }, {});
        await synonyms.deleteOne({ _id: id }, scope);
        return transition;
      }, signal),
  };
}

function toSynonym({ _id: id, ...fields }: SynonymDocument): Synonym {
  return { id, ...fields };
}
