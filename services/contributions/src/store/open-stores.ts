import type { Mongo } from '@knowledge/runtime/mongodb';
import type { CountTransitions } from '@knowledge/runtime/telemetry';
import { createAuthorizationStore } from './authorizations.js';
import { createContributionMails } from './contribution-mails.js';
import { createContributionStore } from './contributions.js';
import { createEnding } from './ending.js';
import { createPeopleStore } from './people.js';
import { createPersonalDataStore } from './personal-data.js';
import { createPromptStore } from './prompts.js';
import { createPublicationStore } from './publications.js';
import { createSubmissionStore } from './submissions.js';
import { createTransitionLog } from './transition-log.js';

/** What the stores call. */
export interface StoreEvents {
  /** Called after every write, so that the workers follow at once. */
  readonly changed: () => void;
  readonly count: CountTransitions;
}

export type Stores = ReturnType<typeof openStores>;

/** Every store of the service; the log of transitions has connections of its own. */
export function openStores({ client, db }: Mongo, watching: Mongo, { changed, count }: StoreEvents) {
  const authorizations = createAuthorizationStore(db);
  const contributions = createContributionStore(db, authorizations, changed);
  return {
    authorizations,
    contributions,
    endAuthorizations: createEnding(authorizations, contributions),
    prompts: createPromptStore(client, db, changed),
    people: createPeopleStore(db),
    personalData: createPersonalDataStore(db, changed),
    publications: createPublicationStore(db),
    submissions: createSubmissionStore(client, db, changed),
    mails: createContributionMails(db),
    transitions: createTransitionLog(watching.db, count),
  };
}
