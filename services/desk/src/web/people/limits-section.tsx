import type { Html } from '@knowledge/runtime/html';
import { limitWords, type QuotaView } from '../../quota.js';
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
          { header: 'What is counted', cell: ({ policy }) => limitWords(policy) },
          { header: 'Limit', cell: ({ limit }) => (limit === 0 ? 'off' : String(limit)) },
          { header: 'Left', cell: ({ limit, remaining }) => (limit === 0 ? '' : String(remaining)) },
          { header: 'Full again', cell: ({ reset_at }) => timeOf(reset_at) },
        ],
        'Nothing is counted.',
      )}
      {used.length === 0 ? (
        <p>No limit is met now, so a 429 has another cause, such as polling too fast.</p>
      ) : (
        <p>
          <strong>It gets 429 now:</strong> used up is {used.map(({ policy }) => limitWords(policy)).join('; ')}.
        </p>
      )}
      {reasonForm({
        action,
        csrf,
        button: 'Reset',
        label: `Reset the limits of ${quota.id}`,
        isReasonRequired: true,
        children: hiddenSubject(quota.id),
      })}
    </section>
  );
}

function hiddenSubject(subject: string): Html {
  return <input type="hidden" name="subject" value={subject} />;
}
