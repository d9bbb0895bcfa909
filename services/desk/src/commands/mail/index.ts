import type { Command } from 'commander';
import type { CommandHandler } from '../../command-handler.js';
import { confirm } from '../../confirm.js';
import { UsageError } from '../../desk-error.js';
import { forEachNamed } from '../../for-each-named.js';
import { addExamples } from '../../global-options.js';
import { idsHelp, requireOnlyMatch } from '../../ids.js';
import { type FailedMailView, listFailedMails, sendMailAgain } from '../../mail/failed-mails.js';
import { reasonOption } from '../../options.js';
import { count } from '../../print/count.js';
import type { Column } from '../../print/table.js';
import { readableTime } from '../../print/time.js';

/** Adds the commands `knowledge mail …`, which operators and support use. */
export function addMailCommands(group: Command, handle: CommandHandler): void {
  const list = group
    .command('list')
    .description('list mails that wait after a failure and mails that are not tried any more, the last failure first')
    .action(
      handle(async (session) => {
        session.print.list(await listFailedMails(session), columns, { one: 'failed mail' });
      }),
    );
  addExamples(list, 'mail list', 'mail list --json');
  const resend = group
    .command('resend')
    .description(
      'send failed mails again: at once, and for another 24 hours; a mail that nobody needs any more is not sent',
    )
    .argument('[id...]', idsHelp)
    .option('--all', 'all that `mail list` shows')
    .addOption(reasonOption('why; stored with your name'))
    .action(
      handle(async (session, words: string[], { all, reason }: { all?: true; reason: string }) => {
        if (words.length > 0 === (all === true)) throw new UsageError('Give the ids of mails, or --all.');
        const failed = await listFailedMails(session);
        const find = async (prefix: string) => failed.filter(({ id }) => id.startsWith(prefix));
        const chosen = all
          ? failed
          : await Promise.all(words.map((word) => requireOnlyMatch(word, find, ({ id }) => id, 'failed mail')));
        if (chosen.length === 0) return session.print.note('No mail has failed.');
        const byId = new Map(chosen.map((mail) => [mail.id, mail]));
        await confirm(session, `Send ${count(byId.size, 'mail')} again?`, [...byId.values()].map(line).join('\n'));
        const send = async (id: string): Promise<FailedMailView> => {
          const mail = byId.get(id) as FailedMailView;
          await sendMailAgain(session, mail, reason);
          return mail;
        };
        await forEachNamed(session, [...byId.keys()], send, { text: ({ id }) => `The mail ${id} is tried again.` });
      }),
    );
  addExamples(resend, 'mail resend ID --reason "the sender is allowed now"', 'mail resend --all --yes');
  addExamples(group, 'mail list', 'mail resend --all');
}

const columns: readonly Column<FailedMailView>[] = [
  { header: 'id', value: ({ id }) => id.slice(0, 8) },
  { header: 'mail', value: ({ purpose }) => purpose },
  { header: 'state', value: ({ state }) => state, isState: true },
  { header: 'failure', value: ({ failure }) => failure, isState: true },
  { header: 'tries', value: ({ attempts }) => attempts, alignRight: true },
  { header: 'failed, UTC', value: ({ failed_at }) => readableTime(failed_at) },
  { header: 'next, UTC', value: ({ due_at }) => readableTime(due_at) },
  { header: 'the mail server', value: ({ response }) => response, flexible: true, minWidth: 24 },
];

function line({ id, purpose, state, response }: FailedMailView): string {
  return `${id.slice(0, 8)}, ${purpose}, ${state}: ${response}`;
}
