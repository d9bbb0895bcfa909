import { type CallContext, KnowledgeError, later } from '@knowledge/runtime';
import {
  abortable,
  type CollectionDeclaration,
  date,
  endIndex,
  isDuplicateKey,
  objectOf,
  type TransactionScope,
  text,
  withTransaction,
} from '@knowledge/runtime/mongodb';
import type { Db, MongoClient } from 'mongodb';
import { maxNotes, maxPresent, type Note, type Presence, presenceMs, requireSameNote } from './domain.js';

type NoteDocument = Omit<Note, 'id'> & { _id: string };

/** The field of contributions that counts their notes. It makes an erasure and a new note wait for each other. */
interface NotedContribution {
  _id: string;
  erased?: true;
  notes?: number;
}

/** Stores notes about contributions. */
export function createNoteStore(client: MongoClient, db: Db) {
  const notes = db.collection<NoteDocument>('notes');
  const contributions = db.collection<NotedContribution>('contributions');

  async function insert({ id, ...note }: Note, scope: TransactionScope) {
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
    /**
     * Adds a note. A repeat with the same id adds nothing.
     *
     * @throws KnowledgeError `not_found`, `validation_error`, or `invalid_state` if there are too many notes.
     */
    async add(note: Note, call: CallContext) {
      for (;;) {
        try {
          return await withTransaction(client, (scope) => insert(note, scope), call);
        } catch (error) {
          // The same call arrived twice at once. The next round finds the note of the other.
          if (!isDuplicateKey(error)) throw error;
        }
      }
    },

    /** The notes about these contributions, oldest first. */
    async of(contributionIds: readonly string[], signal: AbortSignal) {
      const filter = { contributionId: { $in: [...contributionIds] } };
      return (await notes.find(filter, { signal }).sort({ at: 1, _id: 1 }).toArray()).map(toNote);
    },

    /** Deletes the notes about a contribution, in the transaction that erases it. */
    async forget(contributionId: string, scope: TransactionScope) {
      await notes.deleteMany({ contributionId }, scope);
      await contributions.updateOne({ _id: contributionId }, { $unset: { notes: true } }, scope);
    },
  };
}

export type NoteStore = ReturnType<typeof createNoteStore>;

function toNote({ _id: id, ...note }: NoteDocument): Note {
  return { id, ...note };
}

/** One document for each contribution, so that its list is bounded by a single write. */
interface PresenceDocument {
  _id: string;
  open: Presence[];
  /** After this time MongoDB deletes the document. */
  deleteAt: Date;
}

/** Stores who has a contribution open. */
export function createPresenceStore(db: Db) {
  const presence = db.collection<PresenceDocument>('presence');

  return {
    /** Adds or renews a presence. Returns everybody who has the contribution open, oldest first. */
    async announce(contributionId: string, actor: string, { now, signal }: CallContext) {
      const until = later(now, presenceMs);
      const document = await presence.findOneAndUpdate({ _id: contributionId }, renewal(actor, now, until), {
        ...abortable(signal),
        upsert: true,
        returnDocument: 'after',
      });
      return openIn(document, now);
    },

    async end(contributionId: string, actor: string, { signal }: CallContext) {
      await presence.updateOne({ _id: contributionId }, { $pull: { open: { actor } } }, abortable(signal));
    },

    /** Who has these contributions open, by their ids. */
    async of(contributionIds: readonly string[], { now, signal }: CallContext) {
      const found = await presence.find({ _id: { $in: [...contributionIds] } }, { signal }).toArray();
      return new Map(found.map((document) => [document._id, openIn(document, now)]));
    },
  };
}

export type PresenceStore = ReturnType<typeof createPresenceStore>;

/** Removes what has lapsed, and puts the actor last. If there are too many, the one renewed longest ago leaves. */
function renewal(actor: string, now: Date, until: Date): object[] {
  const actorAsIs = { $literal: actor };
  const live = { $filter: { input: { $ifNull: ['$open', []] }, cond: { $gt: ['$$this.until', now] } } };
  const own = { $filter: { input: '$open', cond: { $eq: ['$$this.actor', actorAsIs] } } };
  const others = { $filter: { input: '$open', cond: { $ne: ['$$this.actor', actorAsIs] } } };
  const since = { $ifNull: [{ $first: '$own.since' }, now] };
  const all = { $concatArrays: [others, [{ actor: actorAsIs, since, until }]] };
  return [
    { $set: { open: live, deleteAt: until } },
    { $set: { own } },
    { $set: { open: { $slice: [all, -maxPresent] } } },
    { $unset: 'own' },
  ];
}

function openIn(document: PresenceDocument | null, now: Date) {
  const open = document?.open.filter(({ until }) => until > now) ?? [];
  return open.sort((a, b) => a.since.getTime() - b.since.getTime());
}

const note = { _id: text, contributionId: text, author: text, at: date, text };
const presence = { _id: text, open: { bsonType: 'array', maxItems: maxPresent }, deleteAt: date };

/** The collections of notes and of who has a contribution open. */
export const teamworkSchema: readonly CollectionDeclaration[] = [
  {
    name: 'notes',
    validator: { $jsonSchema: objectOf(note) },
    indexes: [{ name: 'contribution', key: { contributionId: 1, at: 1 } }],
  },
  {
    name: 'presence',
    validator: { $jsonSchema: objectOf(presence) },
    indexes: [endIndex('cleanup', 'deleteAt')],
  },
];
