import type { QuotaView } from '../../present/quota.js';
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
      <p>
        <a href="/people">To people</a>
      </p>
    </>
  );
  return { title: 'Limits', main };
}
