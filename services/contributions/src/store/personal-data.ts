import { type Attribution, type CallContext, mailboxOf } from '@knowledge/runtime';
import { abortable, type TransactionScope, withTransaction } from '@knowledge/runtime/mongodb';
import type { Db, Filter, MongoClient } from 'mongodb';
import { bandsOf, shinglesOf } from '../checks/similarity.js';
import type { Contribution } from '../domain/contribution.js';
import { eraseContribution } from '../domain/erasure.js';
import { searchTerms } from '../domain/search-terms.js';
import type { AuthorizationDocument } from './authorizations.js';
import { type Assessed, type ContributionDocument, contributionsOf, toContribution } from './contribution-document.js';
import { differences } from './contributions.js';
import type { PersonDocument } from './people.js';
import type { SlotDocument } from './submissions.js';

export interface NoteOfPerson {
  contributionId: string;
  author: string;
  at: Date;
  text: string;
}

/** The notes about contributions, as far as the data of a person needs them. */
export interface NotesOfPerson {
  of(contributionIds: readonly string[], signal: AbortSignal): Promise<NoteOfPerson[]>;
  forget(contributionId: string, scope: TransactionScope): Promise<void>;
}

/** Exports and erases a person's data (gateway/PROTOCOL.md#personal-data). It calls `changed` after every write. */
export function createPersonalDataStore(client: MongoClient, db: Db, notes: NotesOfPerson, changed: () => void) {
  const contributions = contributionsOf(db);
  const allSlots = db.collection<SlotDocument>('idempotency_slots');
  const authorizations = db.collection<AuthorizationDocument>('authorizations');
  const people = db.collection<PersonDocument>('people');

  /** Erases one contribution with its notes; undefined if it has changed meanwhile. */
  async function eraseOne(document: ContributionDocument, withWork: boolean, act: Attribution, call: CallContext) {
    const before = toContribution(document);
    const erased = eraseContribution(before, withWork, act);
    const after = erased.kind === 'deleted' ? erased.remains : erased.contribution;
    const gone = erased.kind === 'deleted' ? { erased: true as const } : {};
    const unchanged = { _id: document._id, revision: document.revision };
    const $set = {
      ...differences(before, after),
      ...gone,
      mailbox: mailboxOf(after.email),
      ...assessedAsErased(after),
      mails: [],
      mailsDueAt: null,
    };
    return withTransaction(
      client,
      async (scope) => {
        const { matchedCount } = await contributions.updateOne(unchanged, { $set }, scope);
        if (matchedCount === 0) return undefined;
        await notes.forget(document._id, scope);
        return erased.kind;
      },
      call,
    );
  }

  async function* recordsOf(email: string, signal: AbortSignal) {
    const options = { signal, sort: { submittedAt: 1, _id: 1 }, batchSize: 10 } as const;
    for await (const document of contributions.find({ email }, options)) {
      const { mails, risk = 0, findings = [], waves = [] } = document;
      yield { contribution: toContribution(document), mails, risk, findings, waves };
    }
  }

  return {
    /** All stored data of one person. The contributions are read one by one, since each can have many texts. */
    async export(email: string, { signal }: CallContext) {
      const [found, slots, person] = await Promise.all([
        contributions.find({ email }, { signal, projection: { _id: 1 } }).toArray(),
        allSlots.find({ email }, { signal }).sort({ takenAt: 1 }).toArray(),
        people.findOne({ _id: email }, { signal }),
      ]);
      return {
        notes: await notes.of(found.map(idOf), signal),
        /** Undefined if the person never chose. */
        eachReceipt: person?.eachReceipt,
        contributions: recordsOf(email, signal),
        /** Its idempotency slots, which recognise replays. */
        slots,
      };
    },

    async erase(email: string, withWork: boolean, act: Attribution, call: CallContext) {
      const done = { deleted: 0, anonymized: 0 };
      for (;;) {
        const found = await contributions.find({ email }, { signal: call.signal }).limit(100).toArray();
        if (found.length === 0) break;
        for (const document of found) {
          const kind = await eraseOne(document, withWork, act, call);
          if (kind !== undefined) done[kind]++;
        }
      }
      await allSlots.deleteMany({ email }, abortable(call.signal));
      // The end of the authorization stays stored, so that a late contribution is still refused.
      await authorizations.updateMany({ email }, { $unset: { email: 1 } }, abortable(call.signal));
      await people.deleteOne({ _id: email }, abortable(call.signal));
      changed();
      return done;
    },

    /** Erases withdrawn contributions that the filter selects, at most 100. Returns their number. */
    async eraseWithdrawn(which: Filter<ContributionDocument>, act: Attribution, call: CallContext) {
      const withdrawn = { ...which, state: 'withdrawn', erased: { $exists: false } } as const;
      const found = await contributions.find(withdrawn, { signal: call.signal }).limit(100).toArray();
      let erased = 0;
      for (const document of found) if ((await eraseOne(document, true, act, call)) !== undefined) erased++;
      if (erased > 0) changed();
      return erased;
    },

    /** Deletes erased contributions when the catalog and the log have the erasure. Returns their number. */
    async purge(signal: AbortSignal) {
      const ready = { erased: true, logSince: { $exists: false }, 'publication.dueAt': null } as const;
      const found = await contributions
        .find(ready, { signal, projection: { _id: 1 } })
        .limit(100)
        .toArray();
      if (found.length === 0) return 0;
      const { deletedCount } = await contributions.deleteMany({ _id: { $in: found.map(idOf) } }, abortable(signal));
      return deletedCount;
    },
  };
}

export type PersonalDataStore = ReturnType<typeof createPersonalDataStore>;

function idOf({ _id }: { readonly _id: string }) {
  return _id;
}

/** What remains to find a text by. Findings go, because they say something about the human. */
function assessedAsErased(contribution: Contribution): Assessed {
  const bands = bandsOf(shinglesOf(contribution.body));
  return { risk: 0, findings: [], terms: searchTerms(contribution), bands, waves: [] };
}
