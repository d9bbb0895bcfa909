import { MailDomainServiceService } from '@knowledge/proto/knowledge/identity/v1/mail_domains';
import { isLargeProvider } from '@knowledge/runtime/client';
import { callsOf, type Session } from '../base/session.js';
import type { Columns } from '../base/table.js';
import { requireField } from '../base/words.js';
import { group, list, result } from '../terminal/command-table.js';
import { limit, parseCount, requiredReason } from '../terminal/options.js';
import { type MailDomainView, mailDomainEffects, mailDomainWords, presentMailDomain } from './present.js';

const rules = callsOf('identity', MailDomainServiceService);

const named = { '<domain>': 'the mail domain; a rule holds for the domains below it too' } as const;

const columns: Columns<MailDomainView> = {
  domain: { value: 'id', neverCut: true },
  rule: 'effect',
  'what holds': { value: mailDomainWords, dropPriority: 1 },
  by: 'by',
  why: { value: 'reason', flexible: true },
};

/** `knowledge domain …`: rules for mail domains, which support and moderators keep. */
export const domain = group({
  commands: {
    list: list({
      about: 'list the rules for mail domains',
      takes: limit,
      run: (session, _, page) => rules(session).listMailDomainRules(page),
      items: (page) => page.rules.map(presentMailDomain),
      columns,
      one: 'rule',
      examples: ['domain list', 'domain list --json'],
    }),
    allow: result({
      about: 'let more mails an hour go to mailboxes of a domain than the ceiling of a domain',
      takes: { ...named, ...requiredReason() },
      run: (session, given) => putRule(session, 'allow', given),
      text: formatRule,
      examples: ['domain allow wave.example --reason "a wave"'],
    }),
    limit: result({
      about: 'let only some new humans of a domain be asked a day',
      takes: {
        ...named,
        '--humans <n>': {
          about: 'how many humans without an access a UTC day',
          parse: parseCount,
          required: true,
        },
        ...requiredReason(),
      },
      run: (session, given) => putRule(session, 'limit', given),
      text: formatRule,
      examples: ['domain limit wave.example --humans 5 --reason "a wave"'],
    }),
    refuse: result({
      about: 'let no agent ask a mailbox of a domain for access; accesses that were given stay',
      takes: { ...named, ...requiredReason() },
      question: ({ domain }) =>
        `Refuse all requests for access to mailboxes of ${domain}?${isLargeProvider(domain) ? ' Anybody can have one there.' : ''}`,
      run: (session, given) => putRule(session, 'refuse', given),
      text: formatRule,
      examples: ['domain refuse wave.example --reason "a wave"'],
    }),
    clear: result({
      about: 'remove the rule of a domain',
      takes: { ...named, ...requiredReason() },
      run: async (session, given) => {
        await rules(session).removeMailDomainRule(given);
        return { id: given.domain, state: 'cleared' };
      },
      text: ({ id }) => `${id} has no rule of its own.`,
      examples: ['domain clear wave.example --reason "a wave"'],
    }),
  },
  examples: ['domain list', 'domain refuse wave.example --reason "480 mailboxes in a day"'],
});

type GivenRule = { readonly domain: string; readonly humans?: number; readonly reason: string };

async function putRule(session: Session, name: string, { domain, humans = 0, reason }: GivenRule) {
  const effect = mailDomainEffects.toWire(name);
  const { rule } = await rules(session).putMailDomainRule({ domain, effect, humansADay: humans, reason });
  return presentMailDomain(requireField(rule));
}

function formatRule(rule: MailDomainView) {
  return `${rule.id}: ${mailDomainWords(rule)}.`;
}
