import { abortable, type TransactionScope } from '@knowledge/runtime/mongodb';
import type { Db } from 'mongodb';
import type { PersonDocument } from './documents.js';

/** Stores the settings of people. */
export interface PeopleStore {
  /** Whether the person gets a mail for each contribution. */
  eachReceipt(email: string, signal: AbortSignal): Promise<boolean>;
  chooseReceipts(email: string, each: boolean, signal: AbortSignal): Promise<void>;
}

export function createPeopleStore(db: Db): PeopleStore {
  const people = db.collection<PersonDocument>('people');

  return {
    eachReceipt: (email, signal) => wantsEachReceipt(db, email, { signal }),
    async chooseReceipts(email, eachReceipt, signal) {
      await people.updateOne({ _id: email }, { $set: { eachReceipt } }, { ...abortable(signal), upsert: true });
    },
  };
}

/** Whether the person gets a mail for each contribution. The default is no. */
export async function wantsEachReceipt(
  db: Db,
  email: string,
  scope: Pick<TransactionScope, 'signal'> & Partial<TransactionScope>,
): Promise<boolean> {
  const person = await db.collection<PersonDocument>('people').findOne({ _id: email }, scope);
  return person?.eachReceipt ?? false;
}
