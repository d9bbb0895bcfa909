import type { Attribution, CallContext, Transition } from '@knowledge/runtime';
import type { TransactionScope } from '@knowledge/runtime/mongodb';
import type { Collection } from 'mongodb';
import { isDeletedBy } from '../../store/change-log.js';
import type { Collections } from '../../store/documents.js';
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
import type { SynonymDocument } from './schema.js';

/** Stores the groups of synonyms. Every change is one transaction with its entry of the log. */
export type SynonymStore = ReturnType<typeof createSynonymStore>;

export function createSynonymStore(
  writer: Writer,
  synonyms: Collection<SynonymDocument>,
  { changes }: Pick<Collections, 'changes'>,
) {
  const read = async (_id: string, scope: TransactionScope | { signal: AbortSignal }): Promise<Synonym | undefined> => {
    const found = await synonyms.findOne({ _id }, scope);
    return found === null ? undefined : toSynonym(found);
  };

  const decide = async (put: SynonymPut, act: Attribution, scope: TransactionScope | { signal: AbortSignal }) => {
    const decided = decideSynonymPut(await read(put.id, scope), put, act);
    if (decided.outcome === 'created') {
      requireRoom(await synonyms.countDocuments({}, { ...scope, limit: synonymBounds.groups }));
    }
    return decided;
  };

  return {
    /** Lists all groups, oldest first. */
    async list(signal: AbortSignal): Promise<Synonym[]> {
      const found = synonyms.find({}, { sort: { createdAt: 1, _id: 1 }, limit: synonymBounds.groups, signal });
      return (await found.toArray()).map(toSynonym);
    },

    /** Puts a group. With `validateOnly` it writes nothing and says what would happen. */
    async put(
      put: SynonymPut,
      act: Attribution,
      { signal, validateOnly }: Pick<CallContext, 'signal'> & { readonly validateOnly: boolean },
    ): Promise<SynonymOutcome> {
      if (validateOnly) return decide(put, act, { signal });
      return writer.write(async ({ scope, append }) => {
        const decided = await decide(put, act, scope);
        if (decided.outcome === 'unchanged') return decided;
        await append({ subject: 'synonyms', key: put.id, tags: [], transition: decided.transition }, {});
        const { id: _id, ...fields } = decided.synonym;
        await synonyms.replaceOne({ _id }, fields, { upsert: true, ...scope });
        return decided;
      }, signal);
    },

    /** Deletes a group. Returns undefined if the same request has already deleted it. */
    remove(id: string, act: Attribution, { signal }: Pick<CallContext, 'signal'>): Promise<Transition | undefined> {
      return writer.write(async ({ scope, append }) => {
        const before = await read(id, scope);
        const name = { site: { $exists: false }, key: id };
        if (before === undefined && (await isDeletedBy(changes, name, act, scope))) return undefined;
        const transition = decideSynonymRemoval(before, act);
        await append({ subject: 'synonyms', key: id, tags: [], transition }, {});
        await synonyms.deleteOne({ _id: id }, scope);
        return transition;
      }, signal);
    },
  };
}

function toSynonym({ _id: id, ...fields }: SynonymDocument): Synonym {
  return { id, ...fields };
}
