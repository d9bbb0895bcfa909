import { UsageError } from '../base/desk-error.js';
import { idsHelp, requireOnlyMatch } from '../base/ids.js';
import { type Columns, stateColumn } from '../base/table.js';
import { count } from '../base/text.js';
import { confirm } from '../terminal/ask.js';
import { command, forEachNamed, group } from '../terminal/command-table.js';
import { reason } from '../terminal/options.js';
import { type FailedMailView, listFailedMails, sendMailAgain } from './failed-mails.js';

const columns: Columns<FailedMailView> = {
  id: ({ id }) => id.slice(0, 8),
  mail: 'purpose',
  ...stateColumn,
  failure: { value: 'failure', isState: true },
  tries: 'attempts',
  'failed, UTC': 'failed_at',
  'next, UTC': 'due_at',
  'the mail server': { value: 'response', flexible: 24 },
};

const none = 'No mail has failed. This list has no mail that is tried for the first time.';

/** `knowledge mail …`, for operators and support. */
export const mail = group({
  commands: {
    list: command({
      about: 'list mails that wait after a failure and mails that are not tried any more, the last failure first',
      run: async (session) => session.print.list(await listFailedMails(session), columns, { one: 'failed mail', none }),
      examples: ['mail list', 'mail list --json'],
    }),
    resend: command({
      about:
        'send failed mails again: at once, and for another 24 hours; a mail that nobody needs any more is not sent',
      takes: {
        '[id...]': idsHelp,
        '--all': 'all that `mail list` shows',
        ...reason('why; stored with your name'),
      },
      run: async (session, { id: words, all, reason }) => {
        if (words.length > 0 === all) throw new UsageError('Give the ids of mails, or --all.');
        const failed = await listFailedMails(session);
        const find = async (prefix: string) => failed.filter(({ id }) => id.startsWith(prefix));
        const named = words.map((word) => requireOnlyMatch(word, find, ({ id }) => id, 'failed mail'));
        const chosen = all ? failed : await Promise.all(named);
        if (chosen.length === 0) return session.print.note('No mail has failed.');
        const byId = new Map(chosen.map((mail) => [mail.id, mail]));
        const shown = [...byId.values()].map(
          ({ id, purpose, state, response }) => `${id.slice(0, 8)}, ${purpose}, ${state}: ${response}`,
        );
        await confirm(session, `Send ${count(byId.size, 'mail')} again?`, shown.join('\n'));
        const send = async (id: string) => {
          const mail = byId.get(id) as FailedMailView;
          await sendMailAgain(session, mail, reason);
          return mail;
        };
        await forEachNamed(session, [...byId.keys()], send, { text: ({ id }) => `The mail ${id} is tried again.` });
      },
      examples: ['mail resend ID --reason "the sender is allowed now"', 'mail resend --all --yes'],
    }),
  },
  examples: ['mail list', 'mail resend --all'],
});
