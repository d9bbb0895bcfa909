import type { Logger } from '@knowledge/runtime';
import type { RequestWatch } from '@knowledge/runtime/telemetry';
import type { GatewayConfig } from '../config.js';
import type { Forms } from '../http/compression/forms.js';
import type { Clients } from '../upstream/clients.js';
import type { SearchCounts } from '../upstream/content/search-counts.js';
import type { Quota } from '../upstream/quota/quota.js';
import type { Sites } from '../upstream/sites.js';
import type { TokenResolver } from '../upstream/tokens.js';
import type { Content } from './content.js';
import type { FastPath } from './fast-path.js';
import type { Continuations } from './parts/continuation.js';

/** Everything that routes may need. Each route picks the parts that it uses. */
export interface Gateway {
  readonly config: GatewayConfig;
  readonly sites: Sites;
  readonly content: Content;
  readonly continuations: Continuations;
  readonly fastPath: FastPath;
  readonly forms: Forms;
  readonly tokens: TokenResolver;
  readonly quota: Quota;
  readonly clients: Clients;
  readonly searchCounts: SearchCounts;
  readonly log: Logger;
  readonly watch: RequestWatch;
}
