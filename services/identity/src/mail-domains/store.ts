import { type CallContext, domainsAround, later, mailboxOf } from '@knowledge/runtime';
import {
  abortable,
  type CollectionDeclaration,
  count,
  date,
  exactly,
  isDuplicateKey,
  listOf,
  text,
} from '@knowledge/runtime/mongodb';
import { personHash } from '@knowledge/runtime/watch';
import type { Db } from 'mongodb';
import { hash, purgeIndex } from '../store/schema.js';
import { type MailDomainRule, made } from './domain.js';

const domainRulesName = 'mail_domain_rules';
const domainDaysName = 'mail_domain_days';

export type MailDomainStore = ReturnType<typeof createMailDomainStore>;

export function createMailDomainStore(db: Db) {
  const rules = db.collection<Omit<MailDomainRule, 'domain'> & { _id: string }>(domainRulesName);
  const days = db.collection<{ _id: string; humans: string[]; purgeAt: Date }>(domainDaysName);
  return {
    /** Lists rules by domain, from the one after this domain. */
    async list(after: string, limit: number, { signal }: CallContext): Promise<MailDomainRule[]> {
      const found = await rules.find({ _id: { $gt: after } }, { signal, sort: { _id: 1 }, limit }).toArray();
      return found.map(({ _id, ...rest }) => ({ domain: _id, ...rest }));
    },
    async put({ domain, ...rest }: MailDomainRule, { signal }: CallContext) {
      await rules.replaceOne({ _id: domain }, rest, { ...abortable(signal), upsert: true });
    },
    has: async (domain: string, { signal }: CallContext) =>
      (await rules.countDocuments({ _id: domain }, { signal })) > 0,
    async remove(domain: string, { signal }: CallContext) {
      await rules.deleteOne({ _id: domain }, abortable(signal));
    },
    /** The rule for a mailbox: that of its domain, or of the nearest domain around it. */
    async find(email: string, { signal }: CallContext): Promise<MailDomainRule | undefined> {
      const around = domainsAround(email.slice(email.lastIndexOf('@') + 1));
      const found = await rules.find({ _id: { $in: around } }, { signal }).toArray();
      const [nearest] = found.sort((one, other) => around.indexOf(one._id) - around.indexOf(other._id));
      if (nearest === undefined) return undefined;
      const { _id, ...rest } = nearest;
      return { domain: _id, ...rest };
    },
    /** Counts a human among the new ones of the day, once. Returns false if there is no room for another one. */
    async admit({ domain, humansADay }: MailDomainRule, email: string, { signal, now }: CallContext) {
      const human = personHash(mailboxOf(email));
      const _id = `${domain} ${now.toISOString().slice(0, 10)}`;
      const room = { $or: [{ humans: human }, { [`humans.${humansADay - 1}`]: { $exists: false } }] };
      const update = { $addToSet: { humans: human }, $setOnInsert: { purgeAt: later(now, 2 * dayMs) } };
      // A day without room does not match, and cannot be inserted again. So does one that another call just began.
      for (let attempt = 1; ; attempt++) {
        try {
          await days.updateOne({ _id, ...room }, update, { ...abortable(signal), upsert: true });
          return true;
        } catch (error) {
          if (!isDuplicateKey(error)) throw error;
          if (attempt === 2) return false;
        }
      }
    },
  };
}

const dayMs = 86_400_000;

/** The rules by domain, and the new humans of each day under a limit. The shard key of both is the hashed `_id`. */
export const mailDomainsSchema: readonly CollectionDeclaration[] = [
  {
    name: domainRulesName,
    validator: {
      $jsonSchema: exactly({
        _id: text,
        effect: { enum: Object.keys(made) },
        humansADay: count,
        actor: text,
        at: date,
        reason: text,
      }),
    },
  },
  {
    name: domainDaysName,
    validator: { $jsonSchema: exactly({ _id: text, humans: listOf(hash), purgeAt: date }) },
    indexes: [purgeIndex],
  },
];
