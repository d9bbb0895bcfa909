import {
  type Attribution,
  asciiAddress,
  domainsAround,
  isSingleAddress,
  KnowledgeError,
  refuse,
} from '@knowledge/runtime';

/** What staff decided for the mailboxes of a domain, and of the domains below it. */
export interface MailDomainRule extends Attribution {
  readonly domain: string;
  readonly effect: keyof typeof made;
  /** How many humans without an access may ask in a UTC day; 0 unless the effect is `limit`. */
  readonly humansADay: number;
}

/** The words of the log for a rule that was made. */
export const made = { allow: 'allowed', limit: 'limited', refuse: 'refused' } as const;

/** @throws KnowledgeError `validation_error` for a text that is no domain with a dot. */
export function requireDomain(input: string): string {
  const address = asciiAddress(`x@${input.trim().replace(/^(?:\*?[@.])/, '')}`);
  if (!isSingleAddress(address)) {
    refuse('domain must be a mail domain such as wave.example, without a mailbox');
  }
  const [domain = ''] = domainsAround(address.slice(2));
  return domain;
}

/** @throws KnowledgeError `validation_error` for another number of humans than the effect allows. */
export function checkRule({ effect, humansADay }: Pick<MailDomainRule, 'effect' | 'humansADay'>): void {
  const [least, most] = effect === 'limit' ? [1, mostHumans] : [0, 0];
  if (humansADay >= least && humansADay <= most) return;
  refuse(`humans_a_day must be 1 to ${mostHumans} with a limit, else 0`);
}

const mostHumans = 1_000;

/** The refusal of a request by a rule. It tells only what holds for the whole domain. */
export function refusedByRule({ domain, effect }: MailDomainRule, now: Date): KnowledgeError {
  if (effect === 'refuse') {
    const message = `email: mailboxes of ${domain} cannot be asked for access here. Your human can use another mailbox, or write to the operator.`;
    return new KnowledgeError('validation_error', message);
  }
  const message = `Too many new humans of ${domain} today; the next day begins at 00:00 UTC.`;
  const retryAfterSeconds = Math.ceil((86_400_000 - (now.getTime() % 86_400_000)) / 1000);
  return new KnowledgeError('rate_limited', message, {
    retryAfterSeconds,
    metadata: { limited: 'domain', window: 'day' },
  });
}
