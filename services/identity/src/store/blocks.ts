import type { Db } from 'mongodb';
import type { Block } from '../domain/block.js';
import { abortable, type Call } from './call.js';

/** The mailboxes that agents may ask no more. */
export interface BlockStore {
  put(block: Block, call: Call): Promise<void>;
  /** The one that holds now. */
  find(mailbox: string, call: Call): Promise<Block | undefined>;
  /** Tells whether there was one. */
  delete(mailbox: string, call: Call): Promise<boolean>;
}

export function createBlockStore(db: Db): BlockStore {
  const blocks = blocksOf(db);
  return {
    put: async ({ mailbox, ...rest }, call) => {
      await blocks.replaceOne({ _id: mailbox }, { ...rest, purgeAt: rest.until }, { ...abortable(call), upsert: true });
    },
    find: async (mailbox, { signal, now }) => {
      const document = await blocks.findOne({ _id: mailbox }, { signal });
      if (document === null || (document.until !== null && document.until <= now)) return undefined;
      const { _id, purgeAt: _, ...rest } = document;
      return { mailbox: _id, ...rest };
    },
    delete: async (mailbox, call) => (await blocks.deleteOne({ _id: mailbox }, abortable(call))).deletedCount === 1,
  };
}

/** The collection. */
export const blocksOf = (db: Db) =>
  db.collection<Omit<Block, 'mailbox'> & { _id: string; purgeAt: Date | null }>('blocks');
