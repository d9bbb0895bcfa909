import { MailDomainServiceService } from '@knowledge/proto/knowledge/identity/v1/mail_domains';
import type { Command } from 'commander';
import type { CommandHandler } from '../../command-handler.js';
import { confirm } from '../../confirm.js';
import { readListPages } from '../../connection/list-pages.js';
import { addExamples } from '../../global-options.js';
import { limitOption, parseCount } from '../../options.js';
import {
  type MailDomainView,
  mailDomainEffects,
  mailDomainWords,
  presentMailDomain,
} from '../../present/mail-domain.js';
import { requireField } from '../../present/require-field.js';
import type { Column } from '../../print/table.js';

const effects = [
  { name: 'allow', description: 'let more mails an hour go to mailboxes of a domain than the ceiling of a domain' },
  { name: 'limit', description: 'let only some new humans of a domain be asked a day' },
  { name: 'refuse', description: 'let no agent ask a mailbox of a domain for access; accesses that were given stay' },
  { name: 'clear', description: 'remove the rule of a domain' },
] as const;

/** Adds the commands `knowledge domain …`: rules for mail domains, which support and moderators keep. */
export function addDomainCommands(group: Command, handle: CommandHandler): void {
  addList(group, handle);
  for (const { name, description } of effects) addPut(group, handle, name, description);
  addExamples(group, 'domain list', 'domain refuse wave.example --reason "480 mailboxes in a day"');
}

function addPut(
  group: Command,
  handle: CommandHandler,
  name: (typeof effects)[number]['name'],
  description: string,
): void {
  const command = group.command(name).description(description);
  command.argument('<domain>', 'the mail domain; a rule holds for the domains below it too');
  if (name === 'limit')
    command.requiredOption('--humans <n>', 'how many humans without an access a UTC day', parseCount);
  command.requiredOption('--reason <text>', 'why; stored with your name').action(
    handle(async (session, domain: string, { humans = 0, reason }: { humans?: number; reason: string }) => {
      if (name === 'refuse') await confirm(session, `Refuse all requests for access to mailboxes of ${domain}?`);
      const client = session.connect('identity', MailDomainServiceService);
      if (name === 'clear') {
        await client.removeMailDomainRule({ domain, reason }, session.callContext());
        session.print.result({ id: domain, state: 'cleared' }, () => `${domain} has no rule of its own.`);
        return;
      }
      const put = { domain, effect: mailDomainEffects.toWire(name), humansADay: humans, reason };
      const { rule } = await client.putMailDomainRule(put, session.callContext());
      session.print.result(presentMailDomain(requireField(rule)), (made) => `${made.id}: ${mailDomainWords(made)}.`);
    }),
  );
  addExamples(command, `domain ${name} wave.example${name === 'limit' ? ' --humans 5' : ''} --reason "a wave"`);
}

function addList(group: Command, handle: CommandHandler): void {
  const command = group
    .command('list')
    .description('list the rules for mail domains')
    .addOption(limitOption())
    .action(
      handle(async (session, { limit }: { limit?: number }) => {
        const client = session.connect('identity', MailDomainServiceService);
        const { items, cut } = await readListPages(limit, session.print, async (pageSize, pageToken) => {
          const page = await client.listMailDomainRules({ pageSize, pageToken }, session.callContext());
          return { items: page.rules, nextPageToken: page.nextPageToken };
        });
        session.print.list(items.map(presentMailDomain), columns, { one: 'rule', none: 'No rules.', cut });
      }),
    );
  addExamples(command, 'domain list', 'domain list --json');
}

const columns: readonly Column<MailDomainView>[] = [
  { header: 'domain', value: (each) => each.id, neverCut: true },
  { header: 'rule', value: (each) => each.effect },
  { header: 'what holds', value: mailDomainWords, dropPriority: 1 },
  { header: 'by', value: (each) => each.by },
  { header: 'why', value: (each) => each.reason, flexible: true },
];
