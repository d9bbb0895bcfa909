import { MailDomainServiceService } from '@knowledge/proto/knowledge/identity/v1/mail_domains';
import { isLargeProvider, KnowledgeError } from '@knowledge/runtime/client';
import type { FastifyInstance } from 'fastify';
import {
  type Cells,
  csrfField,
  fieldsOf,
  formField,
  formPage,
  isRefused,
  mainButton,
  moreLink,
  noFaults,
  pageIn,
  readValues,
  reasonField,
  refusal,
  selectField,
  tableOf,
  textField,
  titled,
  type WebDesk,
} from '../pages/index.js';
import { type MailDomainView, mailDomainEffects, mailDomainWords, presentMailDomain } from './present.js';

const path = '/people/domains';

/** Registers the page with the rules for mail domains, which support and moderators keep. */
export function registerMailDomains(app: FastifyInstance, { calls }: WebDesk): void {
  const client = calls('identity', MailDomainServiceService);

  formPage(app, path, {
    fields: ['domain', 'humans_a_day', 'reason'],
    typed: (request) =>
      readValues(request, { domain: 1_000, effect: 10, humans_a_day: 1_000, reason: 4_000, sure: 300 }),
    async save({ domain, effect, humans_a_day: humans, reason, sure }, request) {
      if (effect === 'refuse' && isLargeProvider(domain.trim().toLowerCase()) && sure !== domain) {
        throw new KnowledgeError(
          'validation_error',
          `Anybody can have a mailbox at ${domain}. Save again to refuse all of them.`,
        );
      }
      const humansADay = effect === 'limit' && /^\s*\d{1,6}\s*$/.test(humans) ? Number(humans) : 0;
      if (effect === 'clear') await client(request).removeMailDomainRule({ domain, reason });
      else {
        const rule = { domain, reason, humansADay, effect: mailDomainEffects.toWire(effect) };
        await client(request).putMailDomainRule(rule);
      }
      return path;
    },
    async show(request, sent) {
      const { rules, nextPageToken } = await client(request).listMailDomainRules(pageIn(request, 100));
      const domain = formField(request.query, 'edit', 300);
      const edited = rules.map(presentMailDomain).find(({ id }) => id === domain);
      const humans = edited?.effect === 'limit' ? String(edited.humans_a_day) : '';
      const open = { domain, effect: edited?.effect ?? '', humans_a_day: humans, reason: '', sure: '' };
      const { form, faults } = sent ?? { form: open, faults: noFaults };
      const field = fieldsOf(form, faults);
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
          {refusal(faults)}
          <form class="edit" method="post" action={path} data-unsent={isRefused(faults)}>
            {csrfField()}
            <input type="hidden" name="sure" value={sent?.form.effect === 'refuse' ? form.domain : ''} />
            {textField({
              ...field('domain', 'Mail domain', 'Such as wave.example.'),
              required: true,
              maxlength: 253,
            })}
            {selectField({ name: 'effect', label: 'Rule', value: form.effect, choices })}
            {textField({
              ...field('humans_a_day', 'New humans a day', 'With a limit: 1 to 1,000.'),
              inputmode: 'numeric',
            })}
            {reasonField({ ...field('reason', 'Reason', 'Stored with your name.'), required: true })}
            <p>{mainButton('Save')}</p>
          </form>
        </>,
      );
    },
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
