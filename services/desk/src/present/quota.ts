import { type Allowance, Policy } from '@knowledge/proto/knowledge/quota/v1/quota';
import { formatTable } from '../print/table.js';
import { readableTime, timestamp } from '../print/time.js';
import { enumWords } from '../words.js';

const policies = enumWords(Policy);

export type QuotaView = ReturnType<typeof presentQuota>;

/**
 * Converts all allowances of a subject. The top level repeats the allowance for article reads, with the field names of
 * the HTTP API. Its state is `used_up` if no read is left.
 */
export function presentQuota(subject: string, allowances: readonly Allowance[]) {
  const all = allowances.map(({ policy, limit, remaining, resetAt }) => ({
    policy: policies.fromWire(policy),
    limit,
    remaining,
    reset_at: timestamp(resetAt),
  }));
  const reads = all.find(({ policy }) => policy.startsWith('read_') && policy !== 'read_address_cap');
  return {
    id: subject,
    state: reads !== undefined && reads.limit > 0 && reads.remaining === 0 ? 'used_up' : 'available',
    limit: reads?.limit ?? null,
    remaining: reads?.remaining ?? null,
    reset_at: reads?.reset_at ?? null,
    allowances: all,
  };
}

export function formatQuota({ allowances }: QuotaView): string {
  return formatTable(
    allowances,
    [
      { header: 'policy', value: 'policy' },
      { header: 'limit', value: (each) => (each.limit === 0 ? 'off' : each.limit), alignRight: true },
      { header: 'remaining', value: (each) => (each.limit === 0 ? '-' : each.remaining), alignRight: true },
      { header: 'resets, UTC', value: (each) => readableTime(each.reset_at) },
    ],
    undefined,
  );
}
