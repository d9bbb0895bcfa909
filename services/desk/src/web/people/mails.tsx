import type { FastifyInstance } from 'fastify';
import { type FailedMailView, listFailedMails, sendMailAgain } from '../../mail/failed-mails.js';
import { csrfField, textField } from '../parts/fields.js';
import { formField } from '../parts/form-values.js';
import { type Shown, sendPage } from '../parts/page.js';
import { type Column, strange, tableOf, timeOf, words } from '../parts/values.js';
import { csrfTokenOf } from '../requests.js';
import { callOf } from '../session.js';
import type { WebDesk } from '../web-desk.js';
import { noticeOf } from './sections.js';

const path = '/people/mails';

/** Registers the page with the mails that failed, where support sends them again. */
export function registerMails(app: FastifyInstance, { connect }: WebDesk): void {
  app.get(path, async (request, reply) => {
    const mails = await listFailedMails({ connect, callContext: () => callOf(request) });
    return sendPage(reply, mailsPage(mails, csrfTokenOf(reply), formField(request.query, 'done', 40)));
  });

  app.post(path, async (request, reply) => {
    const caller = { connect, callContext: () => callOf(request) };
    const chosen = formField(request.body, 'mail', 40);
    const mails = await listFailedMails(caller);
    const reason = formField(request.body, 'reason', 2000);
    for (const mail of mails.filter(({ id }) => chosen === 'all' || id === chosen)) {
      await sendMailAgain(caller, mail, reason);
    }
    return reply.redirect(`${path}?done=mails-again`, 303);
  });
}

function mailsPage(mails: readonly FailedMailView[], csrf: string, done: string): Shown {
  const main = (
    <>
      <h1>Mails that failed</h1>
      {noticeOf(done)}
      <p class="soft">
        A held mail waits for us: the mail server refuses our sender, log-in, quota or text. It is tried for 24 hours.
        What is refused or unknown is not tried any more. To whom a mail goes is on the page of its person.
      </p>
      <form method="post" action={path}>
        {csrfField(csrf)}
        {mails.length > 0 && textField({ name: 'reason', label: 'Why send again', maxlength: 2000 })}
        {tableOf('Mails that failed', mails, columns, 'None.')}
        {mails.length > 1 && (
          <p>
            <button name="mail" value="all">
              Send all again
            </button>
          </p>
        )}
      </form>
    </>
  );
  return { title: 'Mails that failed', main };
}

const columns: readonly Column<FailedMailView>[] = [
  { header: 'Mail', cell: ({ purpose }) => words(purpose) },
  { header: 'State', cell: ({ state, failure }) => (state === 'pending' ? failure : state) },
  { header: 'The mail server', cell: ({ response }) => strange(response) },
  { header: 'Tries', cell: ({ attempts }) => attempts, isNumber: true },
  { header: 'Failed', cell: ({ failed_at }) => timeOf(failed_at) },
  { header: 'Next', cell: ({ due_at }) => timeOf(due_at) },
  {
    header: 'Again',
    cell: ({ id, purpose }) => (
      <button name="mail" value={id} aria-label={`Send the mail ${words(purpose)} ${id.slice(0, 8)} again`}>
        Send again
      </button>
    ),
  },
];
