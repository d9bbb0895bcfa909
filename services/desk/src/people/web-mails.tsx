import { unlessNotFound } from '@knowledge/runtime/client';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { inParallel } from '../files/put-result.js';
import {
  callOf,
  csrfField,
  formField,
  reasonField,
  showPage,
  tableOf,
  takeForm,
  titled,
  type WebDesk,
  words,
} from '../pages/index.js';
import { listFailedMails, sendMailAgain } from './failed-mails.js';
import { noticeOf } from './web-sections.js';

const path = '/people/mails';

/** Registers the page with the mails that failed, where support sends them again. */
export function registerMails(app: FastifyInstance, { connect }: WebDesk): void {
  const callerOf = (request: FastifyRequest) => ({ connect, callContext: () => callOf(request) });

  showPage(app, path, async (request) => {
    const mails = await listFailedMails(callerOf(request));
    return titled(
      'Mails that failed',
      <>
        {noticeOf(request)}
        <p class="soft">
          A held mail waits for us: the mail server refuses our sender, log-in, quota or text. We try it for 24 hours. A
          mail that is refused or unknown is sent again only if you do it here. To whom a mail goes is on the page of
          its person.
        </p>
        {mails.length === 0 ? (
          <p class="soft">None.</p>
        ) : (
          <form method="post" action={path}>
            {csrfField()}
            {reasonField({ label: 'Why send again' })}
            {tableOf(
              'Mails that failed',
              mails,
              {
                Mail: ({ purpose }) => words(purpose),
                State: ({ state, failure }) => (state === 'pending' ? failure : state),
                'The mail server': 'response',
                Tries: 'attempts',
                Failed: 'failed_at',
                Next: 'due_at',
                Again: ({ id, purpose }) => (
                  <button name="mail" value={id} aria-label={`Send the mail ${words(purpose)} ${id.slice(0, 8)} again`}>
                    Send again
                  </button>
                ),
              },
              '',
              'Tries',
            )}
            {mails.length > 1 && (
              <p>
                <button name="mail" value="all">
                  Send all again
                </button>
              </p>
            )}
          </form>
        )}
      </>,
    );
  });

  takeForm(app, path, async (request, reason) => {
    const caller = callerOf(request);
    const chosen = formField(request.body, 'mail', 40);
    const mails = (await listFailedMails(caller)).filter(({ id }) => chosen === 'all' || id === chosen);
    // A colleague may have sent one again meanwhile.
    await inParallel(mails, 8, (mail) => sendMailAgain(caller, mail, reason).catch(unlessNotFound));
    return `${path}?done=mails-again`;
  });
}
