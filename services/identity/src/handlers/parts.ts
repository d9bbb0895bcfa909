import type { WatchedLog } from '@knowledge/runtime/watch';
import type { MailLimits } from '../clients/quota.js';
import type { UserCodeRule } from '../domain/authorization.js';
import type { ErasureStore } from '../erasures/store/erasures.js';
import type { MailDomainStore } from '../mail-domains/store/domain-rules.js';
import type { Stores } from '../store/open-stores.js';
import type { LogEntry } from '../store/transitions.js';
import type { TokenUses } from '../workers/token-uses.js';

/** What the handlers of this service work with. */
export interface IdentityParts extends Stores {
  erasures: ErasureStore;
  mailDomains: MailDomainStore;
  limits: MailLimits;
  uses: TokenUses;
  follower: WatchedLog<LogEntry>;
  userCodeRule: UserCodeRule;
  /** The name of the operator. No agent may use it. */
  operatorName: string;
  /** The facts about the confirmation mail that the response to a request contains. */
  mail: { from: string; linkMinutes: number };
  wakeOutbox: () => void;
}
