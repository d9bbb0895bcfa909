import type { Mongo } from '@knowledge/runtime/mongodb';
import type { CountTransitions } from '@knowledge/runtime/telemetry';
import { createAgentEndStore } from './agent-ends.js';
import type { ComparePublished } from './assess-contribution.js';
import { createAuthorizationEnding } from './authorization-ending.js';
import { createAuthorizationStore } from './authorizations.js';
import { createBacklog } from './backlog.js';
import { createContributionMails } from './contribution-mails.js';
import { createContributionStore } from './contributions.js';
import { createHeldDecisionStore } from './held-decisions.js';
import { createJoinedMails } from './joined-mails.js';
import { createPeopleStore } from './people.js';
import { createPersonalDataStore, type NotesOfPerson } from './personal-data.js';
import { createPromptStore } from './prompts.js';
import { createPublicationStore } from './publications.js';
import { createGroups } from './queue/groups.js';
import { createRecordQueue } from './queue/record-queue.js';
import { relatedWorkReader } from './related-work.js';
import { createSubmissionStore } from './submissions.js';
import { createTransitionLog } from './transition-log.js';

export interface StoreParts {
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
    people: createPeopleStore(db),
    personalData: createPersonalDataStore(client, db, notes, changed),
    publications: createPublicationStore(db),
    submissions: createSubmissionStore(client, db, submitted),
    mails: createContributionMails(db),
    joinedMails: createJoinedMails(db),
    transitions: createTransitionLog(watching.db, count),
  };
}
