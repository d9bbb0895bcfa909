import type { CallContext, ListPageQuery } from '@knowledge/runtime';
import {
  abortable,
  boolean,
  type CollectionDeclaration,
  date,
  dateOrNull,
  exactly,
  isDuplicateKey,
  listPage,
  text,
} from '@knowledge/runtime/mongodb';
import type { Db } from 'mongodb';
import { hash, purgeIndex, uuid } from '../store/schema.js';
import { type Erasure, type ErasureChange, erasureStates } from './domain.js';

interface ErasureFilter {
  /** Also requests that have ended. */
  readonly all: boolean;
  readonly person: string | undefined;
}

const oldestFirst = { askedAt: 1, _id: 1 } as const;

export type ErasureStore = ReturnType<typeof createErasureStore>;

export function createErasureStore(db: Db) {
  const erasures = db.collection<ErasureDocument>('erasures');
  const find = async (id: string, { signal, now }: CallContext): Promise<Erasure | undefined> => {
    const found = await erasures.findOne({ _id: id, ...holdsAt(now) }, { signal });
    return found === null ? undefined : toErasure(found);
  };
  return {
    /** Stores a new request. A request with the same id stays as it is. */
    async insert({ id, ...rest }: Erasure, { signal }: CallContext) {
      await erasures.insertOne({ _id: id, ...rest }, abortable(signal)).catch((error: unknown) => {
        if (!isDuplicateKey(error)) throw error;
      });
    },
    /** Undefined if it is unknown or has lapsed. */
    find,
    async list({ all, person }: ErasureFilter, query: ListPageQuery, { signal, now }: CallContext) {
      const open = all ? {} : { state: { $in: ['waiting', 'confirmed'] as const } };
      const filter = { ...holdsAt(now), ...open, ...(person !== undefined && { person }) };
      return listPage(erasures, { filter, order: oldestFirst, toItem: toErasure }, query, { signal });
    },
    /** Changes a request by compare-and-set. Undefined if it is unknown or has lapsed; what `decide` throws is thrown. */
    async change(
      id: string,
      decide: (found: Erasure) => ErasureChange,
      call: CallContext,
    ): Promise<Erasure | undefined> {
      for (;;) {
        const found = await find(id, call);
        const change = found && decide(found);
        if (found === undefined || change === undefined) return found;
        const same = { _id: id, state: found.state, erasedHere: found.erasedHere };
        const { matchedCount } = await erasures.updateOne(same, { $set: change }, abortable(call.signal));
        if (matchedCount === 1) return { ...found, ...change };
      }
    },
  };
}

type ErasureDocument = Omit<Erasure, 'id'> & { _id: string };

/** MongoDB deletes lapsed requests some time later, so reads leave them out. */
function holdsAt(now: Date) {
  return { $or: [{ purgeAt: null }, { purgeAt: { $gt: now } }] };
}

function toErasure({ _id, ...rest }: ErasureDocument): Erasure {
  return { id: _id, ...rest };
}

/** The collection of requests to erase a person. The shard key is the hashed `_id`. */
export const erasuresSchema: CollectionDeclaration = {
  name: 'erasures',
  validator: {
    $jsonSchema: exactly({
      _id: uuid,
      state: { enum: [...erasureStates] },
      email: text,
      person: hash,
      withWork: boolean,
      reason: text,
      askedBy: text,
      askedAt: date,
      lapsesAt: date,
      decidedBy: text,
      decidedAt: dateOrNull,
      erasedHere: boolean,
      purgeAt: dateOrNull,
    }),
  },
  indexes: [
    { name: 'asked', key: { askedAt: 1, _id: 1 } },
    { name: 'person', key: { person: 1, askedAt: 1, _id: 1 } },
    purgeIndex,
  ],
};
