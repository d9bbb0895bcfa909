import { MailDomainServiceService } from '@knowledge/proto/knowledge/identity/v1/mail_domains';
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
    typed: (request) => readValues(request, { domain: 1_000, effect: 10, humans_a_day: 1_000, reason: 4_000 }),
    async save({ domain, effect, humans_a_day: humans, reason }, request) {
      const humansADay = effect === 'limit' && /^\d{1,6}$/.test(humans) ? Number(humans) : 0;
      if (effect === 'clear') await client(request).removeMailDomainRule({ domain, reason });
      else {
        const rule = { domain, reason, humansADay, effect: mailDomainEffects.toWire(effect) };
        await client(request).putMailDomainRule(rule);
      }
      return path;
    },
    async show(request, sent) {
      const { rules, nextPageToken } = await client(request).listMailDomainRules(pageIn(request, 100));
      const open = { domain: formField(request.query, 'edit', 300), effect: '', humans_a_day: '', reason: '' };
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
