import { type CallContext, later } from '@knowledge/runtime';
import type { OutboxMail } from '@knowledge/runtime/mail';
import { abortable } from '@knowledge/runtime/mongodb';
import { type ContributionState, waitingStates } from '@knowledge/runtime/product';
import type { Abortable, Db } from 'mongodb';
import type { Contribution } from '../domain/contribution.js';
import { type ContributionDocument, contributionsOf, leftOutOfReads, toContribution } from './contribution-document.js';

/** A document in `people`: the settings of a person. The `_id` is the e-mail. */
export interface PersonDocument {
  _id: string;
  /** Whether the person gets a mail for each contribution, or only for the first one of an authorization. */
  eachReceipt: boolean;
  /** The contribution and its revision before the decision whose mail tells all rejections until its time. */
  joined?: { id: string; until: Date };
}

/** Stores the settings of people. */
export function createPeopleStore(db: Db) {
  const people = db.collection<PersonDocument>('people');

  return {
    /** Whether the person gets a mail for each contribution. The default is no. */
    async eachReceipt(email: string, options: Abortable) {
      return (await people.findOne({ _id: email }, options))?.eachReceipt ?? false;
    },
    async chooseReceipts(email: string, eachReceipt: boolean, signal: AbortSignal) {
      await people.updateOne({ _id: email }, { $set: { eachReceipt } }, { ...abortable(signal), upsert: true });
    },
  };
}

export type PeopleStore = ReturnType<typeof createPeopleStore>;

/** A contribution with a mail about it. */
export interface Told {
  readonly contribution: Contribution;
  readonly mail: OutboxMail;
}

/** The states whose mails are joined, and the purposes of these. */
export const joined: readonly ContributionState[] = ['rejected', 'closed'];
/** A mail about a rejection that no attempt has sent yet. */
export const untold = { state: 'pending', attempts: 0, purpose: { $in: [...joined] } } as const;
export const isJoined = ({ purpose }: OutboxMail) => joined.some((state) => state === purpose);
const windowMs = 180_000;
/** The first mail of the window takes the others. If it is lost, the next one does. */
const laterMs = 60_000;

/** Joins the mails about the rejections of one human within some minutes into one mail. */
export function createJoinedMails(db: Db) {
  const contributions = contributionsOf(db);
  const people = db.collection<PersonDocument>('people');

  return {
    /** When a new mail is due: later if more rejections may follow, since others of this human wait. */
    async schedule({ id, email, revision }: Contribution, mail: OutboxMail, { now, signal }: CallContext) {
      if (!isJoined(mail)) return mail;
      const waiting = { email, state: { $in: [...waitingStates] }, _id: { $ne: id } };
      const mayFollow = (await contributions.countDocuments(waiting, { signal, limit: 1 })) > 0;
      // Two processes that write the same decision make two mails, one of which is stored.
      const own = `${id}@${revision}`;
      const first = { id: own, until: later(now, mayFollow ? windowMs : 0) };
      const isOpen = { $gt: ['$joined.until', now] };
      const person = await people.findOneAndUpdate(
        { _id: email },
        [{ $set: { joined: { $cond: [isOpen, '$joined', first] } } }],
        { ...abortable(signal), upsert: true, returnDocument: 'after' },
      );
      const { id: leader, until } = person?.joined ?? first;
      return { ...mail, dueAt: leader === own ? until : later(until, laterMs) };
    },

    /** Takes the other mails that wait into this one, which is sent now. Returns all that it tells, of each text the last. */
    async take(contribution: Contribution, mail: OutboxMail, signal: AbortSignal): Promise<Told[]> {
      if (!isJoined(mail)) return [{ contribution, mail }];
      const { id, email } = contribution;
      const waiting = { ...untold, id: { $ne: mail.id } };
      const arrayFilters = [Object.fromEntries(Object.entries(waiting).map(([name, is]) => [`each.${name}`, is]))];
      await contributions.updateMany(
        { email, state: { $in: [...joined] }, mails: { $elemMatch: waiting } },
        { $set: { 'mails.$[each].state': 'cancelled', 'mails.$[each].into': mail.id } },
        { ...abortable(signal), arrayFilters },
      );
      const found = contributions.find({ email, $or: [{ _id: id }, { 'mails.into': mail.id }] }, { signal });
      const documents = await found.project<ContributionDocument>(leftOutOfReads).limit(1_000).toArray();
      return documents.flatMap((document) => {
        const told = document.mails.filter((each) => each.id === mail.id || each.into === mail.id).slice(-1);
        return told.map((each) => ({ contribution: toContribution(document), mail: each }));
      });
    },
  };
}

export type JoinedMails = ReturnType<typeof createJoinedMails>;
