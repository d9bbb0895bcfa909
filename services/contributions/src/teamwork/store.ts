import { type CallContext, KnowledgeError } from '@knowledge/runtime';
import {
  abortable,
  type CollectionDeclaration,
  isDuplicateKey,
  type TransactionScope,
  withTransaction,
} from '@knowledge/runtime/mongodb';
import type { Db, MongoClient } from 'mongodb';
import { maxNotes, maxPresent, type Note, type Presence, presenceMs, requireSameNote } from './domain.js';

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

/** Stores who has a contribution open. */
export interface PresenceStore {
  /** Adds or renews a presence. Returns everybody who has the contribution open, oldest first. */
  announce(contributionId: string, actor: string, call: CallContext): Promise<Presence[]>;
  end(contributionId: string, actor: string, call: CallContext): Promise<void>;
  /** Who has these contributions open, by their ids. */
  of(contributionIds: readonly string[], call: CallContext): Promise<ReadonlyMap<string, Presence[]>>;
}

/** One document for each contribution, so that its list is bounded by a single write. */
interface PresenceDocument {
  _id: string;
  open: Presence[];
  /** After this time MongoDB deletes the document. */
  deleteAt: Date;
}

export function createPresenceStore(db: Db): PresenceStore {
  const presence = db.collection<PresenceDocument>('presence');

  return {
    async announce(contributionId, actor, { now, signal }) {
      const until = new Date(now.getTime() + presenceMs);
      const document = await presence.findOneAndUpdate({ _id: contributionId }, renewal(actor, now, until), {
        ...abortable(signal),
        upsert: true,
        returnDocument: 'after',
      });
      return openIn(document, now);
    },

    async end(contributionId, actor, { signal }) {
      await presence.updateOne({ _id: contributionId }, { $pull: { open: { actor } } }, abortable(signal));
    },

    async of(contributionIds, { now, signal }) {
      const found = await presence.find({ _id: { $in: [...contributionIds] } }, { signal }).toArray();
      return new Map(found.map((document) => [document._id, openIn(document, now)]));
    },
  };
}

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

function openIn(document: PresenceDocument | null, now: Date): Presence[] {
  const open = document?.open.filter(({ until }) => until > now) ?? [];
  return open.sort((a, b) => a.since.getTime() - b.since.getTime());
}

const text = { bsonType: 'string' };
const date = { bsonType: 'date' };
const note = { _id: text, contributionId: text, author: text, at: date, text };
const presence = { _id: text, open: { bsonType: 'array', maxItems: 20 }, deleteAt: date };

/** The collections of notes and of who has a contribution open. */
export const teamworkSchema: readonly CollectionDeclaration[] = [
  {
    name: 'notes',
    validator: { $jsonSchema: { bsonType: 'object', required: Object.keys(note), properties: note } },
    indexes: [{ name: 'contribution', key: { contributionId: 1, at: 1 } }],
  },
  {
    name: 'presence',
    validator: { $jsonSchema: { bsonType: 'object', required: Object.keys(presence), properties: presence } },
    indexes: [{ name: 'cleanup', key: { deleteAt: 1 }, expireAfterSeconds: 0 }],
  },
];
