import { type CallContext, idRange, type Page, type PageQuery, type Site, toPage } from '@knowledge/runtime';
import type { OutboxMail } from '@knowledge/runtime/mail';
import { abortable } from '@knowledge/runtime/mongodb';
import type { Collection, Db, Filter } from 'mongodb';
import type { AuthorizationEnd } from '../domain/authorization-end.js';
import {
  type Contribution,
  type ContributionState,
  type ContributionType,
  type Owner,
  unknownContribution,
} from '../domain/contribution.js';
import { isId } from '../domain/id.js';
import { accessEndedReason, type Outcome } from '../domain/review.js';
import type { AuthorizationStore } from './authorizations.js';
import { noticeMail, toContribution } from './contribution-document.js';
import type { ContributionDocument } from './documents.js';
import { fallingAfter, risingAfter } from './keyset.js';

/** A contribution with the mails about it. */
export interface ContributionRecord {
  contribution: Contribution;
  mails: readonly OutboxMail[];
  /** How the access of its agent ended; undefined while it lasts. */
  accessEnd: AuthorizationEnd | undefined;
}

/** Which contributions moderators look at. */
export interface RecordFilter {
  state: ContributionState | undefined;
  type: ContributionType | undefined;
  site: Site | undefined;
  /** Only of this person, case folded, if given. */
  email?: string | undefined;
  /** Only those whose id begins so, if given. */
  idPrefix?: string | undefined;
}

/** The contributions. Those of an erased person are not found. */
export interface ContributionStore {
  /** @throws KnowledgeError `not_found`, for another's too. */
  getOwn(owner: Owner, id: string, call: CallContext): Promise<Contribution>;
  /** An owner's own, newest first, with how many there are. */
  listOwn(
    owner: Owner,
    state: ContributionState | undefined,
    page: PageQuery,
    call: CallContext,
  ): Promise<Page<Contribution> & { total: number }>;
  /** The ids of what waits for review of these authorizations, of this person if one is given. */
  waitingOf(authorizationIds: readonly string[], email: string | undefined, signal: AbortSignal): Promise<string[]>;
  /** How many of a person's were withdrawn because these authorizations ended. */
  countEnded(authorizationIds: readonly string[], email: string, signal: AbortSignal): Promise<number>;
  /** @throws KnowledgeError `not_found`. */
  getRecord(id: string, call: CallContext): Promise<ContributionRecord>;
  /** Those that wait longest first. */
  listRecords(filter: RecordFilter, page: PageQuery, call: CallContext): Promise<Page<ContributionRecord>>;
  /**
   * Decides on the contribution as it is, and stores the outcome in one compare-and-set write with its history, its mails
   * and what the catalog must be told. It may decide more than once.
   *
   * @throws KnowledgeError `not_found`, and what the rule throws.
   */
  change(id: string, decide: (contribution: Contribution) => Outcome, call: CallContext): Promise<ContributionRecord>;
}

/** The contributions in MongoDB. `changed` is told after every write, so that the outboxes and the log follow at once. */
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

  async function toRecords(documents: ContributionDocument[], { signal }: CallContext): Promise<ContributionRecord[]> {
    const ended = await ends(
      documents.map(({ authorizationId = '' }) => authorizationId),
      signal,
    );
    return documents.map((document) => {
      const contribution = toContribution(document);
      return { contribution, mails: document.mails, accessEnd: ended.get(contribution.authorizationId) };
    });
  }

  const toRecord = async (document: ContributionDocument, call: CallContext): Promise<ContributionRecord> =>
    (await toRecords([document], call))[0] as ContributionRecord;

  return {
    async getOwn(owner, id, call) {
      if (!isId(id)) throw unknownContribution();
      return toContribution(await find({ _id: id, ...ownedBy(owner) }, call));
    },

    async listOwn(owner, state, { size, after }, { signal }) {
      const filter = { ...ownedBy(owner), ...(state && { state }) };
      const [found, total] = await Promise.all([
        contributions
          .find({ ...filter, ...fallingAfter('submittedAt', after) }, { signal })
          .sort({ submittedAt: -1, _id: -1 })
          .limit(size + 1)
          .toArray(),
        contributions.countDocuments(filter, { signal }),
      ]);
      return { ...toPage(found.map(toContribution), size, positionOf), total };
    },

    async waitingOf(authorizationIds, email, signal) {
      const filter = { ...ofAuthorizations(authorizationIds, email), state: 'pending_review' } as const;
      const found = await contributions.find(filter, { signal, projection: { _id: 1 } }).toArray();
      return found.map(({ _id }) => _id);
    },

    countEnded: (authorizationIds, email, signal) =>
      contributions.countDocuments(
        {
          ...ofAuthorizations(authorizationIds, email),
          state: 'withdrawn',
          history: { $elemMatch: { to: 'withdrawn', reason: accessEndedReason } },
        },
        { signal },
      ),

    async getRecord(id, call) {
      return toRecord(await find({ _id: id }, call), call);
    },

    async listRecords({ state, type, site, email, idPrefix }, { size, after }, call) {
      const filter = {
        ...{ ...visible, ...(state && { state }), ...(type && { type }), ...(site && { site }) },
        ...{ ...(email && { email }), ...(idPrefix && { _id: idRange(idPrefix) }) },
      };
      const found = await contributions
        .find({ ...filter, ...risingAfter('submittedAt', after) }, { signal: call.signal })
        .sort({ submittedAt: 1, _id: 1 })
        .limit(size + 1)
        .toArray();
      return toPage(await toRecords(found, call), size, ({ contribution }) => positionOf(contribution));
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

/** The fields in which the next revision differs: what workers write in the meantime is left alone. */
export function differences(before: Contribution, after: Contribution): object {
  const fields = Object.entries(after).filter(([field, value]) => before[field as keyof Contribution] !== value);
  return { ...Object.fromEntries(fields), logSince: after.updatedAt };
}

function changeOf(before: Contribution, { contribution, notices }: Outcome, call: CallContext): object {
  const $set = differences(before, contribution);
  if (notices.length === 0) return { $set };
  const mails = notices.map((notice) => noticeMail(notice, call));
  // Too early is harmless: the outbox finds the time of the first mail by itself.
  return { $set: { ...$set, mailsDueAt: call.now }, $push: { mails: { $each: mails } } };
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
