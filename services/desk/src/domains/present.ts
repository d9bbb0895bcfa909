import { MailDomainEffect, type MailDomainRule } from '@knowledge/proto/knowledge/identity/v1/mail_domains';
import { timestamp } from '../base/time.js';
import { enumWords } from '../base/words.js';

/** What a rule does with a mail domain: `allow`, `limit` or `refuse`. */
export const mailDomainEffects = enumWords(MailDomainEffect);

export type MailDomainView = ReturnType<typeof presentMailDomain>;

export function presentMailDomain({ domain, effect, humansADay, actor, reason, madeAt }: MailDomainRule) {
  return {
    id: domain,
    effect: mailDomainEffects.fromWire(effect),
    humans_a_day: humansADay || null,
    by: actor,
    reason,
    made_at: timestamp(madeAt),
  };
}

/** What a rule means for requests for access, in words. */
export function mailDomainWords({
  effect,
  humans_a_day: humans,
}: Pick<MailDomainView, 'effect' | 'humans_a_day'>): string {
  if (effect === 'limit') return `${humans} new humans a day`;
  return effect === 'refuse' ? 'no requests for access' : 'no limit of mails an hour';
}
