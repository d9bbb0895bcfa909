import type { Mongo } from '@knowledge/runtime/mongodb';
import type { CountTransitions } from '@knowledge/runtime/telemetry';
import { createAccessKeyStore } from './access-keys.js';
import { createAskerStore } from './askers.js';
import { createAuthorizationStore } from './authorizations.js';
import { createBlockStore } from './blocks.js';
import { createGrantStore } from './grants.js';
import { createMailStore } from './mails.js';
import { createPersonStore } from './people.js';
import { createTokenStore } from './tokens.js';
import { createTransitionLog } from './transitions.js';

/** What the stores are opened with. */
export interface StoreOptions {
  /** How long a mailed link works. */
  readonly linkMinutes: number;
  readonly count: CountTransitions;
}

export type Stores = ReturnType<typeof openStores>;

/** Every store of the service; the log of transitions has connections of its own. */
export function openStores({ client, db }: Mongo, watching: Mongo, { linkMinutes, count }: StoreOptions) {
  return {
    authorizations: createAuthorizationStore(db),
    keys: createAccessKeyStore(db),
    blocks: createBlockStore(db),
    askers: createAskerStore(db),
    tokens: createTokenStore(db),
    grants: createGrantStore(client, db),
    people: createPersonStore(db),
    mails: createMailStore(db, linkMinutes * 60_000),
    transitions: createTransitionLog(watching.db, count),
  };
}
