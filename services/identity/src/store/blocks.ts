import type { CallContext } from '@knowledge/runtime';
import { abortable } from '@knowledge/runtime/mongodb';
import type { Db } from 'mongodb';
import { type Block, isOfStaff, type MailboxBlocks } from '../domain/block.js';
import { actors } from '../domain/transition.js';

export interface BlockStore {
  put(block: Block, call: CallContext): Promise<void>;
  /** Finds the blocks that have not ended. */
  find(mailbox: string, call: CallContext): Promise<MailboxBlocks>;
  /** Returns those of these mailboxes that a staff member has blocked. */
  blockedByStaff(mailboxes: readonly string[], call: CallContext): Promise<ReadonlySet<string>>;
  /**
   * Ends the block of staff or the human's own. Returns true if there was one, or if the same request ended it a few
   * minutes ago.
   */
  end(mailbox: string, whose: keyof MailboxBlocks, requestId: string, call: CallContext): Promise<boolean>;
}

export function createBlockStore(db: Db): BlockStore {
  const blocks = blocksOf(db);
  const holding = async (mailboxes: readonly string[], { signal, now }: CallContext): Promise<Block[]> => {
    const found = await blocks.find({ _id: { $in: mailboxes.flatMap(idsOf) }, ...holds(now) }, { signal }).toArray();
    return found.map(({ _id, purgeAt: _, endedBy: __, ...rest }) => ({ mailbox: mailboxIn(_id), ...rest }));
  };
  return {
    put: async ({ mailbox, ...rest }, call) => {
      const _id = isOfStaff(rest) ? staffId(mailbox) : mailbox;
      await blocks.replaceOne({ _id }, { ...rest, purgeAt: rest.until }, { ...abortable(call.signal), upsert: true });
    },
    find: async (mailbox, call) => {
      const found = await holding([mailbox], call);
      return { own: found.find((each) => !isOfStaff(each)), staff: found.find(isOfStaff) };
    },
    blockedByStaff: async (mailboxes, call) =>
      new Set((await holding(mailboxes, call)).filter(isOfStaff).map(({ mailbox }) => mailbox)),
    end: async (mailbox, whose, requestId, call) => {
      const { signal, now } = call;
      const ended = { until: now, purgeAt: new Date(now.getTime() + repeatableMs), endedBy: requestId };
      const actor = whose === 'own' ? actors.human : { $ne: actors.human };
      const these = { _id: { $in: idsOf(mailbox) }, actor };
      const { matchedCount } = await blocks.updateMany({ ...these, ...holds(now) }, { $set: ended }, abortable(signal));
      return matchedCount > 0 || (await blocks.findOne({ ...these, endedBy: requestId }, { signal })) !== null;
    },
  };
}

const repeatableMs = 10 * 60_000;

const staffId = (mailbox: string): string => `staff ${mailbox}`;
const mailboxIn = (id: string): string => id.replace(/^staff /, '');
// Older releases stored the block of a staff member like that of the human.
const idsOf = (mailbox: string): string[] => [mailbox, staffId(mailbox)];
const holds = (now: Date) => ({ $or: [{ until: null }, { until: { $gt: now } }] });

interface BlockDocument extends Omit<Block, 'mailbox'> {
  /** The mailbox; with `staff ` before it for the block of a staff member. */
  _id: string;
  purgeAt: Date | null;
  /** The id of the request that ended the block. It is stored for some minutes. */
  endedBy?: string;
}

const blocksOf = (db: Db) => db.collection<BlockDocument>('blocks');
