import type { Logger } from '@knowledge/runtime';
import type { Clients } from './clients.js';
import type { GatewayConfig } from './config.js';
import type { Content } from './content/content.js';
import type { Front } from './front/front.js';
import type { Identity } from './identity/identity.js';
import type { RequestWatch } from './plugins/request-watch.js';
import type { Quota } from './quota/quota.js';
import type { Sites } from './sites.js';

/** What the composition root hands to the routes; each route takes only what it names. */
export interface Gateway {
  readonly config: GatewayConfig;
  readonly sites: Sites;
  readonly content: Content;
  readonly front: Front;
  readonly identity: Identity;
  readonly quota: Quota;
  readonly clients: Clients;
  readonly log: Logger;
  /** Told of every request. */
  readonly watch: RequestWatch;
}
