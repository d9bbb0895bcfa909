import { type CallContext, KnowledgeError } from '@knowledge/runtime';
import { isDuplicateKey, type TransactionScope, withTransaction } from '@knowledge/runtime/mongodb';
import type { Db, MongoClient } from 'mongodb';
import { maxNotes, type Note, requireSameNote } from '../domain/note.js';

/** Stores notes about contributions. */
export interface NoteStore {
  /**
   * Adds a note. A repeat with the same id adds nothing.
   *
   * @throws KnowledgeError `not_found`, `validation_error`, or `invalid_state` if there are too many notes.
   */
  add(note: Note, call: CallContext): Promise<Note>;
  /** The notes about these contributions, oldest first. */
  of(contributionIds: readonly string[], signal: AbortSignal): Promise<Note[]>;
  /** Deletes the notes about a contribution, in the transaction that erases it. */
  forget(contributionId: string, scope: TransactionScope): Promise<void>;
}

type NoteDocument = Omit<Note, 'id'> & { _id: string };

/** The field of contributions that counts their notes. It makes an erasure and a new note wait for each other. */
interface NotedContribution {
  _id: string;
  erased?: true;
  notes?: number;
}

export function createNoteStore(client: MongoClient, db: Db): NoteStore {
  const notes = db.collection<NoteDocument>('notes');
  const contributions = db.collection<NotedContribution>('contributions');

  async function insert({ id, ...note }: Note, scope: TransactionScope): Promise<Note> {
    const stored = await notes.findOne({ _id: id }, scope);
    if (stored !== null) return requireSameNote(toNote(stored), { id, ...note });
    const contribution = { _id: note.contributionId, erased: { $exists: false } };
    const counted = await contributions.updateOne(
      { ...contribution, notes: { $not: { $gte: maxNotes } } },
      { $inc: { notes: 1 } },
      scope,
    );
    if (counted.matchedCount === 0) {
      const known = (await contributions.findOne(contribution, scope)) !== null;
      if (known)
        throw new KnowledgeError('invalid_state', `The contribution has ${maxNotes} notes, which is the most.`);
      throw new KnowledgeError('not_found', 'There is no contribution with this id.');
    }
    await notes.insertOne({ _id: id, ...note }, scope);
    return { id, ...note };
  }

  return {
    async add(note, call) {
      for (;;) {
        try {
          return await withTransaction(client, (scope) => insert(note, scope), call);
        } catch (error) {
          // The same call arrived twice at once. The next round finds the note of the other.
          if (!isDuplicateKey(error)) throw error;
        }
      }
    },

    async of(contributionIds, signal) {
      const filter = { contributionId: { $in: [...contributionIds] } };
      return (await notes.find(filter, { signal }).sort({ at: 1, _id: 1 }).toArray()).map(toNote);
    },

    async forget(contributionId, scope) {
      await notes.deleteMany({ contributionId }, scope);
      await contributions.updateOne({ _id: contributionId }, { $unset: { notes: true } }, scope);
    },
  };
}

function toNote({ _id: id, ...note }: NoteDocument): Note {
  return { id, ...note };
}
