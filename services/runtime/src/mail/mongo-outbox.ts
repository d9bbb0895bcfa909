import type { Collection, Filter, Document as Stage } from 'mongodb';
import { abortable } from '../mongodb/operation.js';
import type { Backlog, DeliveryResult, FailedMail, MailState, OutboxMail, OutboxStore } from './outbox.js';

/**
 * A database document that contains mails. The index on `mailsDueAt` needs this option: `partialFilterExpression: {
 * mailsDueAt: { $type: 'date' } }`.
 */
export interface MailOwner {
  _id: string;
  mails: OutboxMail[];
  /** When the first of the pending mails is due; null without one. It is stored in the same write as the mails. */
  mailsDueAt: Date | null;
}

export interface MongoOutboxOptions<Stored, Owner> {
  /** Reads a document for the composer. */
  toOwner: (document: Stored) => Owner;
  /** Extra stages for the update that stores a delivery result. For example, they start the lifetime of a code. */
  extraResultStages?: (mail: OutboxMail, settlement: DeliveryResult) => Stage[];
}

/** The index with which `failed` finds mails. */
export const failedMailsIndex = { name: 'failed_mails', key: { 'mails.failure.at': -1 }, sparse: true } as const;

/**
 * Stores the mails of a collection inside its documents. Every update filters by `_id`, so that it works on any shard.
 * It also filters by the mail's id, state and `attempts`, so a worker whose claim has expired changes nothing.
 */
export function createMongoOutbox<Stored extends MailOwner, Owner>(
  collection: Collection<Stored>,
  { toOwner, extraResultStages }: MongoOutboxOptions<Stored, Owner>,
): OutboxStore<Owner> {
  const candidates: string[] = [];

  const refill = async (now: Date, signal: AbortSignal) => {
    // The filter must name the type as the index does, or the server would not use the index.
    const due = { mailsDueAt: { $type: 'date', $lte: now } } as Filter<Stored>;
    const found = await collection
      .find(due, { signal, projection: { _id: 1 }, sort: { mailsDueAt: 1 }, limit: 32 })
      .toArray();
    candidates.push(...shuffled(found.map((each) => each._id as string)));
  };

  const claimIn = async (id: string, now: Date, until: Date, signal: AbortSignal) => {
    const filter = { _id: id, mailsDueAt: { $lte: now } } as unknown as Filter<Stored>;
    const before = await collection.findOneAndUpdate(filter, claimStages(now, until), {
      ...abortable(signal),
      returnDocument: 'before',
    });
    if (before === null) return undefined;
    const document = before as unknown as Stored;
    const mail = document.mails.find((each) => each.state === 'pending' && each.dueAt <= now);
    if (mail === undefined) return undefined;
    const { attempts, triedSince = now } = mail;
    return {
      owner: toOwner(document),
      ownerId: id,
      mail: { ...mail, attempts: attempts + 1, triedSince, dueAt: until },
    };
  };

  return {
    claim: async (now, claimedUntil, signal) => {
      if (candidates.length === 0) await refill(now, signal);
      for (let id = candidates.pop(); id !== undefined; id = candidates.pop()) {
        const claim = await claimIn(id, now, claimedUntil, signal);
        if (claim !== undefined) return claim;
      }
      return undefined;
    },
    recordResult: async (claim, settlement, signal) => {
      const { id, attempts } = claim.mail;
      const held = { mails: { $elemMatch: { id, attempts, state: 'pending' } } };
      const stages = [...resultStages(claim.mail, settlement), ...(extraResultStages?.(claim.mail, settlement) ?? [])];
      const filter = { _id: claim.ownerId, ...held } as unknown as Filter<Stored>;
      const { matchedCount } = await collection.updateOne(filter, stages, abortable(signal));
      return matchedCount === 1;
    },
    backlog: async (signal) => {
      const waiting = { mailsDueAt: { $type: 'date' } } as Filter<Stored>;
      const stages = [{ $match: waiting }, { $sort: { mailsDueAt: 1 } }, { $limit: mostCounted }, ...backlogStages];
      const [found] = await collection.aggregate<Backlog>(stages, { signal }).toArray();
      return found ?? { pending: 0, held: 0 };
    },
    failed: async (signal) => {
      const stages = [{ $match: { 'mails.failure.at': { $type: 'date' } } }, ...failedStages];
      return collection.aggregate<FailedMail>(stages, { signal }).toArray();
    },
    sendAgain: async (ownerId, id, now, signal) => {
      const mails = { $elemMatch: { id, state: { $in: failedStates } } };
      const stages = resultStages({ id }, { state: 'pending', at: now, dueAt: now, copies: 0, mayBeSent: true }, now);
      const filter = { _id: ownerId, mails } as unknown as Filter<Stored>;
      const found = await collection.findOneAndUpdate(filter, stages, abortable(signal));
      return found === null ? undefined : toOwner(found as unknown as Stored);
    },
  };
}

const failedStates: MailState[] = ['pending', 'refused', 'unknown'];
const failedStages: Stage[] = [
  { $project: { mails: 1 } },
  { $sort: { 'mails.failure.at': -1 } },
  { $limit: 500 },
  { $unwind: '$mails' },
  { $match: { 'mails.failure': { $exists: true }, 'mails.state': { $in: failedStates } } },
  { $replaceRoot: { newRoot: { $mergeObjects: ['$mails', { ownerId: '$_id' }] } } },
  { $sort: { 'failure.at': -1 } },
];

const mostCounted = 10_000;
const backlogStages: Stage[] = [
  { $project: { mails: { $filter: { input: '$mails', as: 'mail', cond: { $eq: ['$$mail.state', 'pending'] } } } } },
  { $unwind: '$mails' },
  {
    $group: {
      _id: null,
      pending: { $sum: 1 },
      held: { $sum: { $cond: [{ $eq: ['$mails.failure.kind', 'held'] }, 1, 0] } },
      recordedAt: { $min: '$mails.recordedAt' },
      dueAt: { $min: '$mails.dueAt' },
    },
  },
];

// Claims the first pending mail that is due. The caller reads this mail from the document before the update.
function claimStages(now: Date, until: Date): Stage[] {
  const isDue = { $and: [{ $eq: ['$$mail.state', 'pending'] }, { $lte: ['$$mail.dueAt', now] }] };
  const first = { $indexOfArray: [{ $map: { input: '$mails', as: 'mail', in: isDue } }, true] };
  const triedSince = { $ifNull: ['$$mail.triedSince', now] };
  const claimed = { dueAt: until, attempts: { $add: ['$$mail.attempts', 1] }, triedSince };
  const each = {
    $let: {
      vars: { mail: { $arrayElemAt: ['$mails', '$$at'] } },
      in: { $cond: [{ $eq: ['$$at', '$$first'] }, { $mergeObjects: ['$$mail', claimed] }, '$$mail'] },
    },
  };
  const mails = { $map: { input: { $range: [0, { $size: '$mails' }] }, as: 'at', in: each } };
  return [{ $set: { mails: { $let: { vars: { first }, in: mails } } } }, dueStage];
}

function resultStages(
  { id }: Pick<OutboxMail, 'id'>,
  { state, at, dueAt, copies, failure }: DeliveryResult,
  triedSince?: Date,
): Stage[] {
  const changed = {
    ...(triedSince && { triedSince }),
    state,
    ...(dueAt && { dueAt }),
    ...(copies !== undefined && { copies }),
    ...(state === 'sent' && { sentAt: at }),
    // The words of a mail server could begin with a dollar sign.
    ...(failure && { failure: { $literal: failure } }),
  };
  const merged = { $mergeObjects: ['$$mail', changed] };
  const result = state === 'sent' ? { $unsetField: { field: 'failure', input: merged } } : merged;
  const each = { $cond: [{ $eq: ['$$mail.id', { $literal: id }] }, result, '$$mail'] };
  return [{ $set: { mails: { $map: { input: '$mails', as: 'mail', in: each } } } }, dueStage];
}

const pending = { $filter: { input: '$mails', as: 'mail', cond: { $eq: ['$$mail.state', 'pending'] } } };
const dueStage = { $set: { mailsDueAt: { $min: { $map: { input: pending, as: 'mail', in: '$$mail.dueAt' } } } } };

// Two workers may read the same list. In random order they rarely claim the same document.
function shuffled<T>(items: T[]) {
  return items
    .map((item) => ({ item, at: Math.random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
}
