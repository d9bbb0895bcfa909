import { MailDomainServiceService } from '@knowledge/proto/knowledge/identity/v1/mail_domains';
import type { FastifyInstance } from 'fastify';
import {
  type Cells,
  csrfField,
  formField,
  inWords,
  mainButton,
  moreLink,
  pageIn,
  readValues,
  reasonField,
  selectField,
  showPage,
  tableOf,
  textField,
  titled,
  type WebDesk,
} from '../pages/index.js';
import { type MailDomainView, mailDomainEffects, mailDomainWords, presentMailDomain } from './present.js';

const path = '/people/domains';
const labels = { domain: 'Mail domain', humans_a_day: 'New humans a day', reason: 'Reason' };

/** Registers the page with the rules for mail domains, which support and moderators keep. */
export function registerMailDomains(app: FastifyInstance, { calls }: WebDesk): void {
  const client = calls('identity', MailDomainServiceService);

  showPage(app, path, async (request) => {
    const { rules, nextPageToken } = await client(request).listMailDomainRules(pageIn(request, 100));
    const domain = formField(request.query, 'edit', 300);
    // Who comes back after a refusal finds what was typed.
    const field = (name: keyof typeof labels, hint: string) => ({
      name,
      label: labels[name],
      hint,
      autocomplete: 'on',
    });
    return titled(
      'Mail domains',
      <>
        <p class="soft">
          A rule holds for requests for access by mailboxes of its domain and of the domains below it. Accesses that
          were given stay: end those at their people.
        </p>
        {tableOf('Rules', rules.map(presentMailDomain), cells, 'There are none.')}
        {moreLink('More rules', path, {}, nextPageToken)}
        <h2 id="rule">Make or remove a rule</h2>
        <form class="edit" method="post" action={path}>
          {csrfField()}
          {textField({ ...field('domain', 'Such as wave.example.'), value: domain, required: true, maxlength: 253 })}
          {selectField({ name: 'effect', label: 'Rule', choices })}
          {textField({ ...field('humans_a_day', 'With a limit: 1 to 1,000.'), inputmode: 'numeric' })}
          {reasonField({ ...field('reason', 'Stored with your name.'), required: true })}
          <p>{mainButton('Save')}</p>
        </form>
      </>,
    );
  });

  app.post(path, async (request, reply) => {
    const sent = readValues(request, { domain: 300, effect: 10, humans_a_day: 10, reason: 4_000 });
    const { domain, effect, humans_a_day: humans, reason } = sent;
    const humansADay = effect === 'limit' && /^\d{1,6}$/.test(humans) ? Number(humans) : 0;
    const change =
      effect === 'clear'
        ? client(request).removeMailDomainRule({ domain, reason })
        : client(request).putMailDomainRule({ domain, reason, humansADay, effect: mailDomainEffects.toWire(effect) });
    await change.catch(inWords(labels));
    return reply.redirect(path, 303);
  });
}

const choices = [
  ['refuse', 'Refuse: no requests for access'],
  ['limit', 'Limit: some new humans a day'],
  ['allow', 'Allow: no limit of mails an hour'],
  ['clear', 'Remove the rule'],
] as const;

const cells: Cells<MailDomainView> = {
  Domain: ({ id }) => <a href={`${path}?edit=${encodeURIComponent(id)}#rule`}>{id}</a>,
  Rule: ({ effect }) => effect,
  'What holds': mailDomainWords,
  Why: 'reason',
  By: 'by',
  Since: 'made_at',
};
