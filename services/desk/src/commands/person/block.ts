import { GrantAdminServiceService } from '@knowledge/proto/knowledge/identity/v1/grant_admin';
import { type Command, InvalidArgumentError } from 'commander';
import type { CommandHandler } from '../../command-handler.js';
import { confirm } from '../../confirm.js';
import { addExamples } from '../../global-options.js';
import { reasonOption } from '../../options.js';
import { count } from '../../print/count.js';
import { readableTime, timestamp } from '../../print/time.js';

interface Options {
  email: string;
  days: number;
  reason: string;
}

export function addPersonBlock(parent: Command, handle: CommandHandler): void {
  const command = parent
    .command('block')
    .description('let no agent ask a mailbox or send texts in its name, and cancel its pending requests')
    .requiredOption('--email <address>', 'the mailbox; includes its other spellings, such as plus-tags')
    .option('--days <count>', 'for how many days; 0 means for ever', days, 30)
    .addOption(reasonOption('why; stored with your name, and mailed to the person'))
    .action(
      handle(async (session, { email, days: length, reason }: Options) => {
        const span = length === 0 ? 'for ever' : `for ${count(length, 'day')}`;
        await confirm(
          session,
          `Block ${email} ${span}? No agent can ask this mailbox or send texts in its name; who has an access page gets a mail. Pending requests are cancelled, which cannot be undone.`,
        );
        const grants = session.connect('identity', GrantAdminServiceService);
        const { until, cancelled } = await grants.blockRequests({ email, days: length, reason }, session.callContext());
        const result = { id: email, state: 'blocked', until: timestamp(until), cancelled };
        session.print.result(result, () => {
          const end = result.until === null ? 'for ever' : `until ${readableTime(result.until)} UTC`;
          return `No agent may ask ${email} or send texts in its name ${end}; ${count(cancelled, 'request')} ended.`;
        });
      }),
    );
  addExamples(command, 'person block --email ada@example.org --days 0 --reason "asked by mail"');
}

export function addPersonUnblock(parent: Command, handle: CommandHandler): void {
  const command = parent
    .command('unblock')
    .description('end the block of a mailbox, or else the refusal of its human')
    .requiredOption('--email <address>', 'the mailbox')
    .addOption(reasonOption('why, stored with your name; in no mail'))
    .action(
      handle(async (session, { email, reason }: { email: string; reason: string }) => {
        await session
          .connect('identity', GrantAdminServiceService)
          .unblockRequests({ email, reason }, session.callContext());
        session.print.result({ id: email, state: 'unblocked' }, () => `The block of ${email} has ended.`);
      }),
    );
  addExamples(command, 'person unblock --email ada@example.org --reason "wants requests again"');
}

function days(text: string): number {
  if (!/^\d{1,4}$/.test(text)) throw new InvalidArgumentError('Give whole days; 0 means for ever.');
  return Number(text);
}
