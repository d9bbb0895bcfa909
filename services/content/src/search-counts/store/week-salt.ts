import { randomBytes } from 'node:crypto';
import { abortable, isDuplicateKey } from '@knowledge/runtime/mongodb';
import { Binary } from 'mongodb';
import type { SearchCountCollections } from './documents.js';

const weekMs = 7 * 24 * 3_600_000;
const saltBytes = 32;

/** Returns the salt of the week. All replicas have the same one. */
export type WeekSalt = (now: Date, signal: AbortSignal) => Promise<Buffer>;

/** Makes the reader of salts. The first call of a week makes its salt. */
export function createWeekSalt({ salts }: Pick<SearchCountCollections, 'salts'>): WeekSalt {
  let held: { week: number; salt: Buffer } | undefined;

  const findOrMake = async (week: number, signal: AbortSignal): Promise<Buffer> => {
    const made = { salt: new Binary(randomBytes(saltBytes)), expireAt: new Date((week + 1) * weekMs) };
    const options = { upsert: true, returnDocument: 'after', ...abortable(signal) } as const;
    const found = await salts.findOneAndUpdate({ _id: String(week) }, { $setOnInsert: made }, options);
    if (found === null) throw new Error('An upsert gave nothing back.');
    return Buffer.from(found.salt.buffer);
  };

  return async (now, signal) => {
    const week = Math.floor(now.getTime() / weekMs);
    if (held?.week !== week) {
      held = undefined;
      const salt = await findOrMake(week, signal).catch((error: unknown) => {
        // Another replica made it at the same time.
        if (isDuplicateKey(error)) return findOrMake(week, signal);
        throw error;
      });
      held = { week, salt };
    }
    return held.salt;
  };
}
