import type { Html } from '@knowledge/runtime/html';
import type { QuotaView } from '../../present/quota.js';
import { reasonForm } from '../forms/blocks.js';
import { titledTable } from '../layout/tables.js';
import { timeOf } from '../layout/values.js';

/** What a reader or writer has left, what it met, and a form that makes it whole. */
export function limitsSection(title: string, quota: QuotaView, action: string, csrf: string): Html {
  const used = quota.allowances.filter(({ limit, remaining }) => limit > 0 && remaining === 0);
  return (
    <section>
      {titledTable(
        title,
        quota.allowances,
        [
          { header: 'What is counted', cell: ({ policy }) => words[policy] ?? policy },
          { header: 'Limit', cell: ({ limit }) => (limit === 0 ? 'off' : String(limit)) },
          { header: 'Left', cell: ({ limit, remaining }) => (limit === 0 ? '' : String(remaining)) },
          { header: 'Whole again', cell: ({ reset_at }) => timeOf(reset_at) },
        ],
        'Nothing is counted.',
      )}
      {used.length === 0 ? (
        <p>No limit is met now, so a 429 has another cause, such as polling too fast.</p>
      ) : (
        <p>
          <strong>It gets 429 now:</strong> used up is {used.map(({ policy }) => words[policy] ?? policy).join('; ')}.
        </p>
      )}
      {reasonForm({
        action,
        csrf,
        button: 'Reset',
        label: `Reset the allowances of ${quota.id}`,
        isReasonRequired: true,
        children: hiddenSubject(quota.id),
      })}
    </section>
  );
}

function hiddenSubject(subject: string): Html {
  return <input type="hidden" name="subject" value={subject} />;
}

const words: Readonly<Record<string, string>> = {
  read_verified_email: 'articles read with a token, a day',
  read_client_id: 'articles read with this client id, a day',
  read_address: 'articles read without a client id, a day',
  read_address_cap: 'all anonymous articles of this address, a day',
  contribute_mailbox: 'contributions, a day',
  authorize_mailbox: 'requests for access, an hour',
  authorize_mailbox_day: 'requests for access, a day',
  authorize_address: 'requests for access from this address, an hour',
  link_mailbox: 'mails with the access link, an hour',
  link_mailbox_day: 'mails with the access link, a day',
  link_address: 'mails with the access link asked from this address, an hour',
  renew_mailbox: 'renewals, an hour',
  renew_mailbox_day: 'renewals, a day',
};
