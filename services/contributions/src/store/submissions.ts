import { later, mailboxOf, refuse } from '@knowledge/runtime';
import { isDuplicateKey, type TransactionScope, withTransaction } from '@knowledge/runtime/mongodb';
import { waitingStates } from '@knowledge/runtime/product';
import type { Db, MongoClient } from 'mongodb';
import type { Contribution } from '../domain/contribution.js';
import type { Submission } from '../domain/submission.js';
import {
  type IdempotencySlots,
  keyLivesMs,
  payloadLivesMs,
  type SlotResult,
  type SubmissionStore,
  slotKeptMs,
} from '../domain/submit.js';
import type { AuthorizationStore } from './authorizations.js';
import {
  type ContributionDocument,
  contributionsOf,
  toContribution,
  toContributionDocument,
  withMail,
} from './contribution-document.js';
import type { PeopleStore } from './people.js';

/** A stored idempotency slot (`domain/submit.ts`). Equal submissions use the same slot. */
export interface SlotDocument {
  _id: string;
  email: string;
  /** The last contribution that used the slot. */
  contributionId: string;
  payloadHash: string;
  takenAt: Date;
  /** After this time the slot no longer makes a submission a replay. */
  expiresAt: Date;
  /** After this time MongoDB deletes the slot. */
  deleteAt: Date;
}

interface SubmissionStoreParts {
  readonly authorizations: AuthorizationStore;
  readonly people: PeopleStore;
  /** Called after every new contribution. */
  readonly submitted: () => void;
}

/** Makes the store of submissions and their idempotency slots. */
export function createSubmissionStore(
  client: MongoClient,
  db: Db,
  { authorizations, people, submitted }: SubmissionStoreParts,
): SubmissionStore {
  const contributions = contributionsOf(db);
  const slots = db.collection<SlotDocument>('idempotency_slots');

  async function duplicateOfNew({ email, textHash, authorizationId }: Contribution, scope: TransactionScope) {
    const equal = await contributions
      .find(
        { mailbox: mailboxOf(email), textHash, state: { $in: [...waitingStates] } },
        { ...scope, projection: { authorizationId: 1 } },
      )
      .sort({ submittedAt: 1 })
      .toArray();
    // Prefers a duplicate that the same agent can read to an older one.
    const named = equal.find((each) => each.authorizationId === authorizationId) ?? equal[0];
    return named === undefined ? null : { id: named._id, own: named.authorizationId === authorizationId };
  }

  return {
    async look(submission, { deciding }, { signal, now }): Promise<SlotResult> {
      const { id, contributor, idempotencyKey, payloadHash } = submission;
      const [slot, self] = await Promise.all([
        slots.findOne({ _id: deciding }, { signal }),
        contributions.findOne({ _id: id }, { signal }),
        authorizations.refuseEnded(contributor.authorizationId, signal),
      ]);
      if (self !== null && !isOf(self, contributor)) {
        refuse('Another contribution has this id; send a new one');
      }
      if (self !== null) return { kind: 'taken', by: toContribution(self) };
      if (slot === null) return { kind: 'free', previous: undefined };
      const free: SlotResult = { kind: 'free', previous: slot.contributionId };
      if (slot.expiresAt <= now) return free;
      if (slot.payloadHash !== payloadHash) return { kind: 'conflict' };
      const { contributionId } = slot;
      const own = { _id: contributionId, email: contributor.email, authorizationId: contributor.authorizationId };
      const taken = await contributions.findOne(own, { signal });
      if (taken === null) return idempotencyKey === undefined ? free : { kind: 'erased' };
      // Without a key, a withdrawn contribution may be sent again.
      if (idempotencyKey === undefined && taken.state === 'withdrawn') return free;
      return { kind: 'taken', by: toContribution(taken) };
    },

    async record(contribution, submission, places, previous, call) {
      const { deciding, payload } = slotsTaken(submission, places, call.now);
      try {
        const recorded = await withTransaction(
          client,
          async (scope) => {
            if (previous === undefined) {
              await slots.insertOne(deciding, scope);
            } else {
              const { _id, ...taken } = deciding;
              const unchanged = { _id, contributionId: previous };
              const { matchedCount } = await slots.updateOne(unchanged, { $set: taken }, scope);
              if (matchedCount === 0) return undefined;
            }
            if (payload !== undefined) {
              const { _id, ...taken } = payload;
              await slots.updateOne({ _id }, { $set: taken }, { ...scope, upsert: true });
            }
            const duplicateOf = await duplicateOfNew(contribution, scope);
            // It comes late, since other contributions of the agent wait for it until the commit.
            const count = await authorizations.count(submission.contributor, scope);
            const { requestId } = call;
            const history = contribution.history.map((transition) => ({ ...transition, requestId }));
            const recorded = { ...contribution, duplicateOf, history };
            const document = toContributionDocument(recorded, submission.contributor.network);
            const withReceipt = count === 1 || (await people.eachReceipt(contribution.email, scope));
            await contributions.insertOne(withReceipt ? withMail(document, 'received', call) : document, scope);
            return recorded;
          },
          call,
        );
        if (recorded !== undefined) submitted();
        return recorded;
      } catch (error) {
        if (isDuplicateKey(error)) return undefined;
        throw error;
      }
    },
  };
}

/** Makes the slot documents of a submission. With a key there is a second document for the payload. */
function slotsTaken(submission: Submission, { deciding, payload }: IdempotencySlots, takenAt: Date) {
  const { id, contributor, payloadHash, idempotencyKey } = submission;
  const taken = (_id: string, livesMs: number): SlotDocument => ({
    _id,
    email: contributor.email,
    contributionId: id,
    payloadHash,
    takenAt,
    expiresAt: later(takenAt, livesMs),
    deleteAt: later(takenAt, slotKeptMs),
  });
  return idempotencyKey === undefined
    ? { deciding: taken(deciding, payloadLivesMs), payload: undefined }
    : { deciding: taken(deciding, keyLivesMs), payload: taken(payload, payloadLivesMs) };
}

function isOf({ email, authorizationId }: ContributionDocument, contributor: Submission['contributor']) {
  return email === contributor.email && authorizationId === contributor.authorizationId;
}
