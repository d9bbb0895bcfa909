import type { CallContext } from '@knowledge/runtime';
import { abortable } from '@knowledge/runtime/mongodb';
import type { Db } from 'mongodb';
import { type Block, isOfStaff, type MailboxBlocks } from '../domain/block.js';
import { actors } from '../domain/transition.js';

export function createBlockStore(db: Db) {
  const blocks = blocksOf(db);
  const notEndedAt = async (at: Date, mailboxes: readonly string[], signal: AbortSignal) => {
    const found = await blocks.find({ _id: { $in: mailboxes.flatMap(idsOf) }, ...holds(at) }, { signal }).toArray();
    return found.map(({ _id, purgeAt: _purge, link: _link, ...rest }) => ({
      mailbox: _id.replace(/^staff /, ''),
      ...rest,
    }));
  };
  return {
    async put({ mailbox, ...rest }: Block, call: CallContext): Promise<void> {
      const _id = isOfStaff(rest) ? staffId(mailbox) : mailbox;
      await blocks.replaceOne({ _id }, { ...rest, purgeAt: rest.until }, { ...abortable(call.signal), upsert: true });
    },
    /** Finds the blocks that have not ended. */
    async find(mailbox: string, { signal, now }: CallContext): Promise<MailboxBlocks> {
      const found = await notEndedAt(new Date(now.getTime() - dayMs), [mailbox], signal);
      const held = found.filter(({ until }) => until === null || until > now);
      const ended = found.find((each) => !isOfStaff(each) && each.endedBy !== undefined && !held.includes(each));
      const own = held.find((each) => !isOfStaff(each));
      return { own, staff: held.find(isOfStaff), allowedAt: ended?.until ?? undefined };
    },
    /** Returns those of these mailboxes that a staff member has blocked. */
    blockedByStaff: async (mailboxes: readonly string[], call: CallContext): Promise<ReadonlySet<string>> =>
      new Set((await notEndedAt(call.now, mailboxes, call.signal)).filter(isOfStaff).map(({ mailbox }) => mailbox)),
    /**
     * Takes the one link of a week for a mailbox with a block, for the key of this id. Returns false if there is no block,
     * if another link was taken, or if the human wants no more of them.
     */
    async takeLink(mailbox: string, keyId: string, { signal, now }: CallContext): Promise<boolean> {
      const these = { _id: { $in: idsOf(mailbox) }, ...holds(now) };
      if ((await blocks.findOne({ ...these, noLinks: true }, { signal, projection: { _id: 1 } })) !== null)
        return false;
      const taken = {
        $or: [{ link: { $exists: false } }, { 'link.keyId': keyId }, { 'link.at': { $lte: weekBefore(now) } }],
      };
      const update = { $set: { link: { at: now, keyId } } };
      return (await blocks.updateMany({ $and: [these, taken] }, update, abortable(signal))).matchedCount > 0;
    },
    /** Lets a mailbox with a block get no more links. Returns false if it has no block. */
    async refuseLinks(mailbox: string, { signal, now }: CallContext): Promise<boolean> {
      const these = { _id: { $in: idsOf(mailbox) }, ...holds(now) };
      return (await blocks.updateMany(these, { $set: { noLinks: true } }, abortable(signal))).matchedCount > 0;
    },
    /**
     * Ends the block of staff or the human's own. Returns true if there was one, or if the same request ended it
     * within a day.
     */
    async end(mailbox: string, whose: keyof MailboxBlocks, requestId: string, call: CallContext): Promise<boolean> {
      const { signal, now } = call;
      const ended = { until: now, purgeAt: new Date(now.getTime() + dayMs), endedBy: requestId };
      const actor = whose === 'own' ? actors.human : { $ne: actors.human };
      const these = { _id: { $in: idsOf(mailbox) }, actor };
      const { matchedCount } = await blocks.updateMany({ ...these, ...holds(now) }, { $set: ended }, abortable(signal));
      return matchedCount > 0 || (await blocks.findOne({ ...these, endedBy: requestId }, { signal })) !== null;
    },
  };
}

const dayMs = 86_400_000;
const weekBefore = (now: Date) => new Date(now.getTime() - 7 * dayMs);

const staffId = (mailbox: string): string => `staff ${mailbox}`;
const idsOf = (mailbox: string): string[] => [mailbox, staffId(mailbox)];
const holds = (now: Date) => ({ $or: [{ until: null }, { until: { $gt: now } }] });

interface BlockDocument extends Omit<Block, 'mailbox'> {
  /** The mailbox; with `staff ` before it for the block of a staff member. */
  _id: string;
  purgeAt: Date | null;
  /** The id of the request that ended the block. It is stored for a day. */
  endedBy?: string;
  /** When a link was last mailed because of the block alone, and the id of its key. */
  link?: { at: Date; keyId: string };
}

const blocksOf = (db: Db) => db.collection<BlockDocument>('blocks');
