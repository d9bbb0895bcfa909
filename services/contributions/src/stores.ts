import { createMongoOutbox } from '@knowledge/runtime/mail';
import type { Mongo } from '@knowledge/runtime/mongodb';
import type { CountTransitions } from '@knowledge/runtime/telemetry';
import type { Db } from 'mongodb';
import { createPromptStore } from './prompts/store.js';
import { createPublicationStore } from './publications/store.js';
import { type ComparePublished, createBacklog } from './store/assessment.js';
import { createAuthorizationStore } from './store/authorizations.js';
import { contributionsOf, toContribution } from './store/contribution-document.js';
import { createAuthorizationEnding, createContributionStore } from './store/contributions.js';
import { createAgentEndStore, createHeldDecisionStore } from './store/held-decisions.js';
import { createJoinedMails, createPeopleStore } from './store/people.js';
import { createPersonalDataStore, type NotesOfPerson } from './store/personal-data.js';
import { createGroups, createRecordQueue } from './store/record-queue.js';
import { relatedWorkReader } from './store/related-work.js';
import { createSubmissionStore } from './store/submissions.js';
import { createTransitionLog } from './store/transition-log.js';

interface StoreParts {
  /** Called after every write, so that the workers continue at once. */
  readonly changed: () => void;
  /** Called after a new contribution instead, with which fewer workers have something to do. */
  readonly submitted: () => void;
  readonly count: CountTransitions;
  /** The notes of moderators, which are part of a person's data. */
  readonly notes: NotesOfPerson;
  readonly comparePublished: ComparePublished;
  /** The hosts of our sites, to which every text may link. */
  readonly ownHosts: ReadonlySet<string>;
}

export type Stores = ReturnType<typeof openStores>;

/** Opens all stores. The transition log uses separate connections. */
export function openStores({ client, db }: Mongo, watching: Mongo, parts: StoreParts) {
  const { changed, submitted, count, notes, comparePublished, ownHosts } = parts;
  const authorizations = createAuthorizationStore(db);
  const groups = createGroups(db);
  const people = createPeopleStore(db);
  const contributions = createContributionStore(db, authorizations, changed);
  return {
    authorizations,
    contributions,
    queue: createRecordQueue(db, authorizations, groups),
    backlog: createBacklog(db, comparePublished, ownHosts),
    relatedWork: relatedWorkReader(db),
    endAuthorizations: createAuthorizationEnding(authorizations, contributions),
    heldDecisions: createHeldDecisionStore(db),
    agentEnds: createAgentEndStore(db),
    groups,
    prompts: createPromptStore(client, db, changed),
    people,
    personalData: createPersonalDataStore(client, db, notes, changed),
    publications: createPublicationStore(db),
    submissions: createSubmissionStore(client, db, { authorizations, people, submitted }),
    mails: createContributionMails(db),
    joinedMails: createJoinedMails(db),
    transitions: createTransitionLog(watching.db, count),
  };
}

/** The outbox of the mails in the contribution documents. */
function createContributionMails(db: Db) {
  return createMongoOutbox(contributionsOf(db), { toOwner: toContribution });
}
