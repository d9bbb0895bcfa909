import type { Mongo } from '@knowledge/runtime/mongodb';
import type { CountTransitions } from '@knowledge/runtime/telemetry';
import { createAccessKeyStore } from './access-keys.js';
import { createAuthorizationStore } from './authorizations.js';
import { createBlockStore } from './blocks.js';
import { createGrantStore } from './grants.js';
import { createMailStore } from './mails.js';
import { createPersonStore, createRequesterStore } from './people.js';
import { createTokenStore } from './tokens.js';
import { createTransitionLog } from './transitions.js';

interface StoreOptions {
  readonly linkMinutes: number;
  readonly count: CountTransitions;
}

export type Stores = ReturnType<typeof openStores>;

/** Opens all stores. The transition log uses separate connections. */
export function openStores({ client, db }: Mongo, watching: Mongo, { linkMinutes, count }: StoreOptions) {
  return {
    authorizations: createAuthorizationStore(db),
    keys: createAccessKeyStore(db),
    blocks: createBlockStore(db),
    requesters: createRequesterStore(db),
    tokens: createTokenStore(db),
    grants: createGrantStore(client, db),
    people: createPersonStore(db),
    mails: createMailStore(db, linkMinutes * 60_000),
    transitions: createTransitionLog(watching.db, count),
  };
}
