import type { CallContext } from '@knowledge/runtime';
import { abortable } from '@knowledge/runtime/mongodb';
import type { Db } from 'mongodb';
import type { Block } from '../domain/block.js';

export interface BlockStore {
  put(block: Block, call: CallContext): Promise<void>;
  /** Returns undefined if there is no block or it has ended. */
  find(mailbox: string, call: CallContext): Promise<Block | undefined>;
  /** Ends a block. Returns true if there was one, or if the same request ended it a few minutes ago. */
  end(mailbox: string, requestId: string, call: CallContext): Promise<boolean>;
}

export function createBlockStore(db: Db): BlockStore {
  const blocks = blocksOf(db);
  return {
    put: async ({ mailbox, ...rest }, call) => {
      await blocks.replaceOne(
        { _id: mailbox },
        { ...rest, purgeAt: rest.until },
        { ...abortable(call.signal), upsert: true },
      );
    },
    find: async (mailbox, { signal, now }) => {
      const document = await blocks.findOne({ _id: mailbox }, { signal });
      if (document === null || (document.until !== null && document.until <= now)) return undefined;
      const { _id, purgeAt: _, endedBy: __, ...rest } = document;
      return { mailbox: _id, ...rest };
    },
    end: async (mailbox, requestId, call) => {
      const { signal, now } = call;
      const ended = { until: now, purgeAt: new Date(now.getTime() + repeatableMs), endedBy: requestId };
      const holds = { _id: mailbox, $or: [{ until: null }, { until: { $gt: now } }] };
      if ((await blocks.updateOne(holds, { $set: ended }, abortable(call.signal))).matchedCount === 1) return true;
      return (await blocks.findOne({ _id: mailbox, endedBy: requestId }, { signal })) !== null;
    },
  };
}

const repeatableMs = 10 * 60_000;

interface BlockDocument extends Omit<Block, 'mailbox'> {
  _id: string;
  purgeAt: Date | null;
  /** The id of the request that ended the block. It is stored for some minutes. */
  endedBy?: string;
}

export const blocksOf = (db: Db) => db.collection<BlockDocument>('blocks');
