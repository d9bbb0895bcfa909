import { type CallContext, type ListPage, type ListPageQuery, toListPage } from '@knowledge/runtime';
import { abortable, afterPosition } from '@knowledge/runtime/mongodb';
import { withdrawalReasons } from '@knowledge/runtime/product';
import type { Collection, Db, Filter } from 'mongodb';
import {
  type Contribution,
  type ContributionState,
  type Owner,
  unknownContribution,
  waitingStates,
} from '../domain/contribution.js';
import { isId } from '../domain/id.js';
import { changesMs } from '../domain/new-text.js';
import type { Outcome } from '../domain/review.js';
import { needsAssessment } from './assess-contribution.js';
import type { AuthorizationStore } from './authorizations.js';
import { leftOutOfLists, noticeMail, toContribution } from './contribution-document.js';
import { type ContributionRecord, toRecords } from './contribution-record.js';
import type { ContributionDocument } from './documents.js';

/** Stores contributions. It never returns contributions of an erased person. */
export interface ContributionStore {
  /** @throws KnowledgeError `not_found` for an unknown id or a contribution of another owner. */
  getOwn(owner: Owner, id: string, call: CallContext): Promise<Contribution>;
  /** Lists contributions of an owner, newest first, with the total number. */
  listOwn(
    owner: Owner,
    state: ContributionState | undefined,
    page: ListPageQuery,
    call: CallContext,
  ): Promise<ListPage<Contribution> & { total: number }>;
  /** Lists the ids of waiting contributions of these authorizations. With an e-mail, only of this person. */
  waitingOf(authorizationIds: readonly string[], email: string | undefined, signal: AbortSignal): Promise<string[]>;
  /** Lists at most 100 ids of contributions whose agents sent no new text in time. */
  withoutNewText(now: Date, signal: AbortSignal): Promise<string[]>;
  /** Counts a person's contributions that were withdrawn because these authorizations ended. */
  countEnded(authorizationIds: readonly string[], email: string, signal: AbortSignal): Promise<number>;
  /** @throws KnowledgeError `not_found` for an unknown id. */
  getRecord(id: string, call: CallContext): Promise<ContributionRecord>;
  /**
   * Applies a rule by compare-and-set. One write stores the outcome with its history, its mails and the change for the
   * catalog. The rule may run more than once.
   *
   * @throws KnowledgeError `not_found`, and the errors of the rule.
   */
  change(id: string, decide: (contribution: Contribution) => Outcome, call: CallContext): Promise<ContributionRecord>;
}

const newestFirst = { submittedAt: -1, _id: -1 } as const;

/** Makes the store. It calls `changed` after every write, so that outboxes and log continue at once. */
export function createContributionStore(
  db: Db,
  { ends }: Pick<AuthorizationStore, 'ends'>,
  changed: () => void,
): ContributionStore {
  const contributions: Collection<ContributionDocument> = db.collection('contributions');
  const visible = { erased: { $exists: false } };

  async function find(filter: Filter<ContributionDocument>, { signal }: CallContext): Promise<ContributionDocument> {
    const document = await contributions.findOne({ ...filter, ...visible }, { signal });
    if (document === null) throw unknownContribution();
    return document;
  }

  const toRecord = async (document: ContributionDocument, { signal }: CallContext): Promise<ContributionRecord> =>
    (await toRecords([document], ends, signal))[0] as ContributionRecord;

  return {
    async getOwn(owner, id, call) {
      if (!isId(id)) throw unknownContribution();
      return toContribution(await find({ _id: id, ...ownedBy(owner) }, call));
    },

    async listOwn(owner, state, { size, after }, { signal }) {
      const filter = { ...ownedBy(owner), ...(state && { state }) };
      const [found, total] = await Promise.all([
        contributions
          .find(afterPosition(filter, newestFirst, after), { signal, projection: leftOutOfLists })
          .sort(newestFirst)
          .limit(size + 1)
          .toArray(),
        contributions.countDocuments(filter, { signal }),
      ]);
      return { ...toListPage(found.map(toContribution), size, positionOf), total };
    },

    async waitingOf(authorizationIds, email, signal) {
      const filter = { ...ofAuthorizations(authorizationIds, email), state: { $in: [...waitingStates] } };
      const found = await contributions.find(filter, { signal, projection: { _id: 1 } }).toArray();
      return found.map(({ _id }) => _id);
    },

    async withoutNewText(now, signal) {
      const due = new Date(now.getTime() - changesMs);
      const filter = { state: 'changes_requested', updatedAt: { $lte: due }, ...visible } as const;
      const found = await contributions.find(filter, { signal, projection: { _id: 1 }, limit: 100 }).toArray();
      return found.map(({ _id }) => _id);
    },

    countEnded: (authorizationIds, email, signal) =>
      contributions.countDocuments(
        {
          ...ofAuthorizations(authorizationIds, email),
          state: 'withdrawn',
          history: { $elemMatch: { to: 'withdrawn', reason: withdrawalReasons.accessEnded } },
        },
        { signal },
      ),

    async getRecord(id, call) {
      return toRecord(await find({ _id: id }, call), call);
    },

    async change(id, decide, call) {
      for (;;) {
        const document = await find({ _id: id }, call);
        const before = toContribution(document);
        const outcome = decide(before);
        if (outcome.contribution === before) return toRecord(document, call);
        const unchanged = { _id: id, ...visible, revision: document.revision };
        const after = await contributions.findOneAndUpdate(unchanged, changeOf(before, outcome, call), {
          ...abortable(call.signal),
          returnDocument: 'after',
        });
        if (after !== null) {
          changed();
          return toRecord(after, call);
        }
      }
    },
  };
}

/** Returns only the changed fields, so that an update does not overwrite fields that workers write. */
export function differences(before: Contribution, after: Contribution): object {
  const fields = Object.entries(after).filter(([field, value]) => before[field as keyof Contribution] !== value);
  return { ...Object.fromEntries(fields), logSince: after.history.at(-1)?.at ?? after.updatedAt };
}

function changeOf(before: Contribution, { contribution, notices }: Outcome, call: CallContext): object {
  const $set = differences(before, contribution);
  // The worker assesses again what has no terms.
  const unset = needsAssessment(before, contribution) ? { $unset: { terms: 1 } } : {};
  if (notices.length === 0) return { $set, ...unset };
  const mails = notices.map((notice) => noticeMail(notice, call));
  // The outbox tolerates a time that is too early; it then finds the first due mail.
  return { $set: { ...$set, mailsDueAt: call.now }, $push: { mails: { $each: mails } }, ...unset };
}

function ofAuthorizations(ids: readonly string[], email: string | undefined): Filter<ContributionDocument> {
  return { authorizationId: { $in: [...ids] }, ...(email !== undefined && { email }) };
}

function ownedBy({ email, authorizationId }: Owner): Filter<ContributionDocument> {
  return { email, ...(authorizationId !== undefined && { authorizationId }) };
}

function positionOf({ submittedAt, id }: Contribution): { at: Date; id: string } {
  return { at: submittedAt, id };
}
