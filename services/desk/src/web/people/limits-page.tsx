import { rules } from '@knowledge/runtime/product';
import type { QuotaView } from '../../quota.js';
import type { Shown } from '../layout/send-page.js';
import { limitsSection } from './limits-section.js';
import { noticeOf } from './notices.js';

interface LimitsFacts {
  readonly quota: QuotaView;
  readonly action: string;
  readonly csrf: string;
  readonly done: string;
}

/** Why an agent gets 429: what its client id, address or e-mail has left. */
export function limitsPage({ quota, action, csrf, done }: LimitsFacts): Shown {
  const main = (
    <>
      <h1>
        Limits of <bdi>{quota.id}</bdi>
      </h1>
      {noticeOf(done)}
      {limitsSection('What is left', quota, action, csrf)}
      <h2>What else gets 429</h2>
      <ul>
        <li>With a token, reads and contributions count for its person: find the person by the e-mail address.</li>
        <li>Requests for access and their mails count for the mailbox of the person who is asked.</li>
        <li>Polls for a token more often than every {rules.pollSeconds} seconds.</li>
        <li>Many pages for people in one minute from one IP address; programs use /api/v1.</li>
      </ul>
      <p>
        <a href="/people">To people</a>
      </p>
    </>
  );
  return { title: 'Limits', main };
}
