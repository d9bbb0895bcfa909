import { type CallContext, earlier, hasCode, isUuid, type ListPageQuery } from '@knowledge/runtime';
import type { OutboxMail } from '@knowledge/runtime/mail';
import { abortable, listPage } from '@knowledge/runtime/mongodb';
import { type ContributionState, waitingStates, withdrawalReasons } from '@knowledge/runtime/product';
import type { Db, Filter } from 'mongodb';
import {
  type AuthorizationEnd,
  type Contribution,
  mostLooks,
  type Notice,
  type Owner,
  unknownContribution,
} from '../domain/contribution.js';
import { changesMs } from '../domain/new-text.js';
import { type Outcome, review } from '../domain/review.js';
import { needsAssessment } from './assessment.js';
import type { AuthorizationStore } from './authorizations.js';
import {
  type ContributionDocument,
  type ContributionRecord,
  contributionsOf,
  leftOutOfLists,
  noticeMail,
  toContribution,
  toRecords,
} from './contribution-document.js';
import { createJoinedMails, untold } from './people.js';

/** Decides what becomes of a contribution. */
export type Rule = (contribution: Contribution) => Outcome;

/** A contribution that stays as it is, and why. */
export interface LeftContribution {
  id: string;
  reason: string;
}

/** How many contributions one command changes. */
const atOnce = 100;

const newestFirst = { submittedAt: -1, _id: -1 } as const;

/**
 * Stores contributions. It never returns contributions of an erased person. It calls `changed` after every write, so
 * that outboxes and log continue at once.
 */
export function createContributionStore(db: Db, { ends }: Pick<AuthorizationStore, 'ends'>, changed: () => void) {
  const contributions = contributionsOf(db);
  const mailJoin = createJoinedMails(db);
  const visible = { erased: { $exists: false } };

  async function find(filter: Filter<ContributionDocument>, { signal }: CallContext): Promise<ContributionDocument> {
    const document = await contributions.findOne({ ...filter, ...visible }, { signal });
    if (document === null) throw unknownContribution();
    return document;
  }

  const toRecord = async (document: ContributionDocument, { signal }: CallContext) =>
    (await toRecords([document], ends, signal))[0] as ContributionRecord;

  async function change(id: string, decide: Rule, call: CallContext): Promise<ContributionRecord> {
    for (;;) {
      const document = await find({ _id: id }, call);
      const before = toContribution(document);
      const outcome = decide(before);
      if (outcome.contribution === before) return toRecord(document, call);
      const unchanged = { _id: id, ...visible, revision: document.revision };
      const write = async (filter: Filter<ContributionDocument>, notices: readonly Notice[]) => {
        const mails = notices.map((notice) => mailJoin.schedule(before, noticeMail(notice, call), call));
        const update = changeOf(before, outcome.contribution, await Promise.all(mails), call.now);
        const options = { ...abortable(call.signal), returnDocument: 'after' } as const;
        return contributions.findOneAndUpdate(filter, update, options);
      };
      // While the mail about the decision still waits, no second one takes it back. The first one is then outdated.
      const stillWaits = outcome.notices.includes('reopened') && { ...unchanged, mails: { $elemMatch: untold } };
      const after = (stillWaits && (await write(stillWaits, []))) || (await write(unchanged, outcome.notices));
      if (after !== null) {
        changed();
        return toRecord(after, call);
      }
    }
  }

  async function changeSome(rules: ReadonlyMap<string, Rule>, ids: readonly string[], call: CallContext) {
    const left: LeftContribution[] = [];
    const leave = (id: string, error: unknown) => {
      if (!hasCode(error, 'invalid_state') && !hasCode(error, 'not_found')) throw error;
      left.push({ id, reason: (error as Error).message });
    };
    const { signal, now } = call;
    const options = { signal, projection: leftOutOfLists };
    const found = await contributions.find({ _id: { $in: [...ids] }, ...visible }, options).toArray();
    const documents = new Map(found.map((each) => [each._id, each]));
    const writes: { id: string; updateOne: { filter: Filter<ContributionDocument>; update: object } }[] = [];
    for (const id of ids) {
      try {
        const document = documents.get(id);
        if (document === undefined) throw unknownContribution();
        const before = toContribution(document);
        const { contribution } = (rules.get(id) as Rule)(before);
        if (contribution === before) continue;
        const filter = { _id: id, ...visible, revision: document.revision };
        writes.push({ id, updateOne: { filter, update: changeOf(before, contribution, [], now) } });
      } catch (error) {
        leave(id, error);
      }
    }
    if (writes.length === 0) return left;
    const operations = writes.map(({ updateOne }) => ({ updateOne }));
    const { matchedCount } = await contributions.bulkWrite(operations, { ...abortable(signal), ordered: false });
    if (matchedCount === writes.length) return left;
    // Some have changed meanwhile. The others are repeats for their rules.
    for (const { id } of writes) await change(id, rules.get(id) as Rule, call).catch((error) => leave(id, error));
    return left;
  }

  return {
    /** @throws KnowledgeError `not_found` for an unknown id or a contribution of another owner. */
    async getOwn(owner: Owner, id: string, call: CallContext) {
      if (!isUuid(id)) throw unknownContribution();
      return toContribution(await find({ _id: id, ...ownedBy(owner) }, call));
    },

    /** Lists contributions of an owner, newest first, with the total number. */
    async listOwn(owner: Owner, state: ContributionState | undefined, query: ListPageQuery, { signal }: CallContext) {
      const filter = { ...ownedBy(owner), ...(state && { state }) };
      const list = { filter, order: newestFirst, toItem: toContribution };
      const [page, total] = await Promise.all([
        listPage(contributions, list, query, { signal, projection: leftOutOfLists }),
        contributions.countDocuments(filter, { signal }),
      ]);
      return { ...page, total };
    },

    /** Lists the ids of waiting contributions of these authorizations. With an e-mail, only of this person. */
    async waitingOf(authorizationIds: readonly string[], email: string | undefined, signal: AbortSignal) {
      const filter = { ...ofAuthorizations(authorizationIds, email), state: { $in: [...waitingStates] } };
      const found = await contributions.find(filter, { signal, projection: { _id: 1 } }).toArray();
      return found.map(({ _id }) => _id);
    },

    /** Lists at most 100 ids of contributions whose agents sent no new text in time. */
    async withoutNewText(now: Date, signal: AbortSignal) {
      const due = earlier(now, changesMs);
      const filter = { state: 'changes_requested', updatedAt: { $lte: due }, ...visible } as const;
      const found = await contributions.find(filter, { signal, projection: { _id: 1 }, limit: 100 }).toArray();
      return found.map(({ _id }) => _id);
    },

    /** Counts a person's contributions that were withdrawn because these authorizations ended. */
    countEnded: (authorizationIds: readonly string[], email: string, signal: AbortSignal) =>
      contributions.countDocuments(
        {
          ...ofAuthorizations(authorizationIds, email),
          state: 'withdrawn',
          history: { $elemMatch: { to: 'withdrawn', reason: withdrawalReasons.accessEnded } },
        },
        { signal },
      ),

    /** Records who opens it, unless nobody does. @throws KnowledgeError `not_found` for an unknown id. */
    async getRecord(id: string, actor: string | undefined, call: CallContext) {
      if (actor === undefined) return toRecord(await find({ _id: id }, call), call);
      const document = await contributions.findOneAndUpdate({ _id: id, ...visible }, lookOf(actor), {
        ...abortable(call.signal),
        returnDocument: 'after',
      });
      if (document === null) throw unknownContribution();
      return toRecord(document, call);
    },

    /**
     * Applies a rule by compare-and-set. One write stores the outcome with its history, its mails and the change for the
     * catalog. The rule may run more than once.
     *
     * @throws KnowledgeError `not_found`, and the errors of the rule.
     */
    change,

    /**
     * Applies a rule to each of many contributions, in few commands. The rules must send no mail, and know a repeat. Returns
     * those that stay as they are, because they are unknown or their rule refuses it.
     */
    async changeTogether(rules: ReadonlyMap<string, Rule>, call: CallContext) {
      const left: LeftContribution[] = [];
      const ids = [...rules.keys()];
      for (let from = 0; from < ids.length; from += atOnce)
        left.push(...(await changeSome(rules, ids.slice(from, from + atOnce), call)));
      changed();
      return left;
    },
  };
}

export type ContributionStore = ReturnType<typeof createContributionStore>;

/** The revision is that of the document which the same operation returns. */
function lookOf(actor: string): object[] {
  const name = { $literal: actor };
  const others = { $filter: { input: '$looks', cond: { $ne: ['$$this.actor', name] } } };
  const looks = { $concatArrays: [others, [{ actor: name, revision: '$revision' }]] };
  return [{ $set: { looks: { $slice: [looks, -mostLooks] } } }];
}

/** Returns only the changed fields, so that an update does not overwrite fields that workers write. */
export function differences(before: Contribution, after: Contribution): object {
  const fields = Object.entries(after).filter(([field, value]) => before[field as keyof Contribution] !== value);
  return { ...Object.fromEntries(fields), logSince: after.history.at(-1)?.at ?? after.updatedAt };
}

function changeOf(before: Contribution, contribution: Contribution, mails: readonly OutboxMail[], now: Date): object {
  const $set = differences(before, contribution);
  // The worker assesses again what has no terms.
  const unset = needsAssessment(before, contribution)
    ? ({ $unset: { terms: 1 }, $pull: { waves: /^text:/ } } as const)
    : {};
  if (mails.length === 0) return { $set, ...unset };
  // The outbox tolerates a time that is too early; it then finds the first due mail.
  return { $set: { ...$set, mailsDueAt: now }, $push: { mails: { $each: mails } }, ...unset };
}

function ofAuthorizations(ids: readonly string[], email: string | undefined): Filter<ContributionDocument> {
  return { authorizationId: { $in: [...ids] }, ...(email !== undefined && { email }) };
}

function ownedBy({ email, authorizationId }: Owner): Filter<ContributionDocument> {
  return { email, ...(authorizationId !== undefined && { authorizationId }) };
}

interface AuthorizationEnding {
  authorizationIds: readonly string[];
  /** If set, only contributions of this person are withdrawn. */
  email: string | undefined;
  end: AuthorizationEnd;
  /** Whether contributions that wait for review are also withdrawn. */
  withdrawWaiting: boolean;
}

/**
 * Ends authorizations. Later contributions are refused, and waiting ones are withdrawn if requested. It may be repeated
 * and may run in parallel.
 */
export type EndAuthorizations = (ending: AuthorizationEnding, call: CallContext) => Promise<void>;

export function createAuthorizationEnding(
  authorizations: AuthorizationStore,
  contributions: ContributionStore,
): EndAuthorizations {
  return async ({ authorizationIds, email, end, withdrawWaiting }, call) => {
    // The end is stored before the withdrawal, so that no contribution can arrive in between.
    for (const id of authorizationIds) await authorizations.end(id, end, call.signal);
    if (!withdrawWaiting) return;
    const act = { actor: end.by, at: call.now, reason: withdrawalReasons.accessEnded, requestId: call.requestId };
    const decide = review({ command: { kind: 'withdraw' }, act });
    const waiting = await contributions.waitingOf(authorizationIds, email, call.signal);
    // What was decided or erased meanwhile no longer waits, and stays.
    await contributions.changeTogether(new Map(waiting.map((id) => [id, decide])), call);
  };
}
